import type { Complain } from '../../../importers/file-problem.js';
import { readDoc } from '../../../importers/pyyaml/read.js';
import { isDict, jsonOf, valueAt } from '../../../importers/pyyaml/tree.js';
import type { Json } from '../../../model/json.js';
import { problems } from './errors.js';
import { expandRoots, type Roots } from './expand.js';
import { readRules, type Rules } from './rules.js';

/** The part of a `spack.yaml` that builds read. */
export interface Settings {
  readonly packages: Json;
  readonly config: Json;
}

export interface Environment {
  readonly settings: Settings;
  readonly roots: Roots;
  /** Reads its rules for jobs. Null: it has none. */
  rules(complain: Complain): Rules | null;
  /** Keys that nothing reads: a person is told. */
  readonly ignored: readonly string[];
  /** Plain data of a section, empty if it is absent: `mirrors`. */
  section(key: string): Json;
}

/** Keys that decide how an environment is concretized. The lock has the result. */
const CONCRETIZED = ['specs', 'definitions', 'concretizer', 'view', 'repos', 'develop', 'include_concrete'];
const READ = ['packages', 'config', ...CONCRETIZED];

/** Reads a `spack.yaml`. What is wrong with it is complained of; then it is null. */
export function readEnvironment(text: string, file: string, complain: Complain): Environment | null {
  const doc = readDoc(text, file, complain);
  if (doc === null) return null;
  const top = valueAt(doc.tree, ['spack']);
  if (!isDict(top)) {
    complain(problems.noEnvironment({ file, line: 1 }, 'it has no map under the key "spack"'));
    return null;
  }
  // `packages::` replaces the defaults of Spack. Its YAML key is `packages:`.
  const section = (key: string): Json => {
    const found = top.keys.get(key) ?? top.keys.get(`${key}:`);
    return found === undefined ? {} : jsonOf(found.value);
  };
  return {
    roots: expandRoots(top),
    rules: (tell) => readRules(doc, (place, why) => tell(problems.pattern(place, why))),
    settings: { packages: section('packages'), config: section('config') },
    section,
    ignored: [...top.keys.keys()].map((key) => key.replace(/:$/, '')).filter((key) => !READ.includes(key)),
  };
}
