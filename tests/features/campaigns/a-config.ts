import type { SourceLocation } from '../../../src/model/failure.js';
import type { Given } from '../../../src/model/plan.js';
import type { Configuration } from '../../../src/features/campaigns/pure/config/configure.js';
import { type ReadConfiguration, readConfiguration } from '../../../src/features/campaigns/pure/config/index.js';
import { ConfigSection } from '../../../src/features/campaigns/schemas/config.js';

/** What a test says of a configuration; the rest has defaults. */
export interface Said extends Pick<Given, 'preset' | 'set'>, Partial<ConfigSection> {
  /** Further files of the commit. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Reads a configuration whose file has this text. */
export function read(text: string, { preset, set, files, ...say }: Said = {}): ReadConfiguration {
  const section = ConfigSection.parse(say);
  const file = say.import === undefined ? 'config.yaml' : `${say.project}/testing/config.yaml`;
  const at = (path: readonly unknown[]): SourceLocation => ({ file: `slipway.yaml:${['config', ...path].join('.')}` });
  const given = { ...(preset && { preset }), ...(set && { set }) };
  const found = readConfiguration(section, { given, facts: { text: { [file]: text, ...files } }, at });
  if ('asks' in found) throw new Error(`it asks for ${JSON.stringify(found.asks)}`);
  return found;
}

/** Reads a configuration that must have no problems. */
export function sound(text: string, said: Said = {}): Configuration {
  const { configuration, problems } = read(text, said);
  expect(problems).toEqual([]);
  return configuration!;
}

/** The value at a path. Undefined: there is none. */
export function valueIn({ read }: Configuration, path: string): unknown {
  const seen = read(path);
  return 'value' in seen ? seen.value : undefined;
}

const placeText = ({ file, line, column }: SourceLocation): string =>
  [file, line, column].filter((part) => part !== undefined).join(':');

/** Problems as a person reads them. */
export const told = (text: string, said: Said = {}): string =>
  read(text, said)
    .problems.map(
      ({ place, code, message, next }) => `${place ? placeText(place) : '-'} ${code}: ${message}\n  ${next}`,
    )
    .join('\n');
