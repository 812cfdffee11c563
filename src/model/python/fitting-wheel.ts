import type { PlatformFacts } from '../platform.js';
import { normalName, parseWheelName } from './file-name.js';
import { platformFits, pythonFits } from './wheel-tags.js';

/** The wheel that a step takes. */
export interface WantedWheel {
  readonly project: string;
  /** Null: any Python. */
  readonly python: string | null;
  readonly platform: Pick<PlatformFacts, 'os' | 'arch'>;
}

/** Returns the names of a folder that are wheels of the project for this Python and platform. */
export const fittingWheels = (names: readonly string[], wanted: WantedWheel): readonly string[] =>
  [...new Set(names)].filter((name) => {
    const parsed = parseWheelName(name);
    return (
      parsed !== null &&
      normalName(parsed.project) === normalName(wanted.project) &&
      (wanted.python === null || pythonFits(parsed, wanted.python)) &&
      parsed.platforms.some((tag) => platformFits(tag, wanted.platform))
    );
  });

/** Puts `{python}` in place of the Python of a wheel's name, which may end an address. A wheel for all Pythons keeps its name. */
export const withAnyPython = (address: string): string =>
  address.replace(/-cp3\d{1,2}-cp3\d{1,2}(t?-[^/-]+\.whl)$/, '-{python}-{python}$1');
