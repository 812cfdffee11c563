import type { CommitAsk } from '../../src/importers/asks.js';
import type { Json, JsonObject } from '../../src/model/json.js';
import type { FeaturePlan, ReadSettings } from '../../src/plan/feature.js';

/** Looks a dotted path up, own keys alone. Undefined: there is none. */
const valueAt = (value: Json, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((at, key) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    return (at as JsonObject)[key];
  }, value);

/** A feature whose settings are a JSON document, by the word `config`. `settings.json` says which path of the commit has it. */
export const tinySettings = (read: ReadSettings): FeaturePlan => ({ settings: read });

/** Settings of a document, before anything is read. */
export const settingsOf =
  (document: JsonObject): ReadSettings =>
  (file) => ({
    ...{ word: 'config', file, findings: [], document },
    value: (path) => {
      const value = valueAt(document, path);
      return value === undefined
        ? { code: 'CONFIG_UNKNOWN_KEY', message: `there is no "${path}"`, next: 'Name a key of config.json.' }
        : { value, from: { file: 'config.json', line: 1, column: 1 } };
    },
  });

/** Settings in `config.json` of the commit; each `--set PATH=JSON` adds a key. */
export const ofCommit: ReadSettings = (file, { given, facts, hash }) => {
  const asks: readonly CommitAsk[] = [{ ask: 'text', path: 'config.json' }];
  if (!Object.hasOwn(facts.text, 'config.json')) return { asks };
  const text = facts.text['config.json'] ?? '{}';
  const added = (given.set ?? []).map((one) => [
    one.slice(0, one.indexOf('=')),
    JSON.parse(one.slice(one.indexOf('=') + 1)),
  ]);
  return settingsOf({ ...(JSON.parse(text) as JsonObject), ...Object.fromEntries(added) })(file, {
    ...{ given, facts, hash },
  });
};
