import { isFitting, type File } from './files.js';
import type { Target } from './target.js';
import type { Page } from './verdict.js';

/** Why a wheel is built: `sdist only`, or the wheels that do not fit. */
export function buildText(open: readonly File[], target: Target): string {
  const wheels = open.filter(({ wheel }) => wheel !== null);
  return wheels.length === 0 ? 'sdist only' : noneText(wheels, target);
}

/** `29 wheels, none for cp313; the nearest is cp312-cp312-manylinux_2_17_x86_64` */
export function noneText(open: readonly File[], target: Target): string {
  const nearest = nearestOf(open, target);
  const count = open.length === 1 ? '1 wheel' : `${open.length} wheels`;
  const lacks = nearest?.isPlatform ? target.python : `${target.python} on ${target.platform}`;
  return `${count}, none for ${lacks}${nearest ? `; the nearest is ${nearest.tags}` : ''}`;
}

interface Nearest {
  readonly tags: string;
  /** It fits the platform under another Python. */
  readonly isPlatform: boolean;
}

/** A wheel for another Python of the platform, else one for the same Python. */
function nearestOf(open: readonly File[], target: Target): Nearest | null {
  const tagsOf = ({ wheel }: File): string =>
    [wheel!.pythons, wheel!.abis, wheel!.platforms].map((all) => all[0]).join('-');
  for (const python of nearPythons(target.python)) {
    const found = open.find((file) => isFitting(file, { ...target, tags: { ...target.tags, python } }));
    if (found) return { tags: tagsOf(found), isPlatform: true };
  }
  const same = open.find(({ wheel }) => wheel?.pythons.includes(target.python));
  return same ? { tags: tagsOf(same), isPlatform: false } : null;
}

/** Other Pythons, the nearest minor version first. */
function nearPythons(tag: string): readonly string[] {
  const minor = Number(/^cp3(\d+)/.exec(tag)?.[1]);
  return Array.from({ length: 8 }, (_, index) => index + 1).flatMap((away) =>
    [minor - away, minor + away].filter((other) => other > 5).map((other) => `cp3${other}`),
  );
}

/** Says which versions the index has in place of an absent one. */
export function absentText(page: Page): string {
  if (page.state !== 'files') return 'no index has the project';
  return page.newest.length === 0
    ? 'its page lists no version'
    : `the index does not have it; the newest are ${page.newest.join(', ')}`;
}
