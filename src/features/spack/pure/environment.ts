import { noFacts } from '../../../importers/asks.js';
import type { Complain } from '../../../importers/file-problem.js';
import { readDoc } from '../../../importers/pyyaml/read.js';
import { type Dict, EMPTY, isDict, jsonOf, valueAt } from '../../../importers/pyyaml/tree.js';
import { placed } from '../../../model/failure.js';
import type { Json } from '../../../model/json.js';
import { mergedAttributes } from './attributes.js';
import { type Bootstrap, readBootstrap } from './definitions.js';
import { problems } from './errors.js';
import { expandRoots, type Roots } from './expand.js';
import { type Around, type Included, type Part, readIncludes } from './include.js';
import { readRules, type Rules } from './rules.js';
import { sectionIn } from './sections.js';

/** The part of a `spack.yaml` that builds read. */
export interface Settings {
  readonly packages: Json;
  readonly config: Json;
}

export interface Environment {
  /** Its own, then those of included files: the first takes precedence. */
  readonly settings: readonly [Settings, ...Settings[]];
  /** Keys of included files in the facts of the import, in the order of `settings`. */
  readonly included: readonly string[];
  /** Files to read before the rest can be told. */
  readonly asks: Included['asks'];
  /** Expands its specs. What is wrong with them is complained of. */
  roots(complain: Complain): Roots;
  /** Reads its rules for jobs. Null: it has none. */
  rules(complain: Complain): Rules | null;
  /** Lists of specs that are built before all others, in their order. */
  bootstrap(complain: Complain): readonly Bootstrap[];
  /** Keys that nothing reads: a person is told. */
  readonly ignored: readonly string[];
  /** Keys that Spack does not know, each with its place. */
  readonly unknown: readonly string[];
  /** Plain data of a section, empty if it is absent: `mirrors`. */
  section(key: string): Json;
}

/** Keys that decide how an environment is concretized. The lock has the result. */
const CONCRETIZED = ['specs', 'definitions', 'concretizer', 'view', 'repos', 'develop', 'include_concrete'];
const READ = ['packages', 'config', 'include', ...CONCRETIZED];
/** Further sections of Spack. */
const KNOWN = [
  ...['bootstrap', 'cdash', 'ci', 'compilers', 'container', 'env_vars', 'gitlab-ci', 'mirrors', 'modules'],
  ...['toolchains', 'upstreams'],
];

/** An environment of one file. */
const ALONE: Around = { host: {}, repositories: [], facts: noFacts() };

/** Reads a `spack.yaml`. What is wrong with it is complained of; then it is null. */
export function readEnvironment(text: string, file: string, complain: Complain, around = ALONE): Environment | null {
  const own = readPart(text, file, complain);
  if (own === null) return null;
  const { parts, asks } = readIncludes(own, around, complain);
  const keys = [...own.top.keys].map(([key, { at }]) => ({ key: key.replace(/:$/, ''), at }));
  const [, ...others] = parts;
  return {
    roots: (tell) => expandRoots(parts, around.host, tell),
    rules: (tell) => readRules(parts, tell),
    bootstrap: (tell) => readBootstrap(parts, tell),
    settings: [settingsOf(own.top), ...others.map(({ top }) => settingsOf(top))],
    included: others.map(({ key }) => key),
    asks,
    section: (key) => parts.toReversed().reduce<Json>((low, { top }) => mergedAttributes(low, sectionOf(top, key)), {}),
    ignored: keys.map(({ key }) => key).filter((key) => KNOWN.includes(key)),
    unknown: keys.flatMap(({ key, at }) =>
      READ.includes(key) || KNOWN.includes(key) ? [] : [`${placed(own.doc.place(at))}: ${key}`],
    ),
  };
}

/** Reads what builds take from a `spack.yaml`, or from a file that it includes. */
export function readSettings(text: string, file: string, complain: Complain, isIncluded: boolean): Settings | null {
  const part = isIncluded ? readDoc(text, file, complain)?.tree : readPart(text, file, complain)?.top;
  return isDict(part) ? settingsOf(part) : null;
}

function readPart(text: string, file: string, complain: Complain): Part | null {
  const doc = readDoc(text, file, complain);
  if (doc === null) return null;
  const top = valueAt(doc.tree, ['spack']);
  if (isDict(top)) return { doc, top, key: file };
  complain(problems.noEnvironment({ file, line: 1 }, 'it has no map under the key "spack"'));
  return null;
}

const settingsOf = (top: Dict): Settings => ({
  packages: sectionOf(top, 'packages'),
  config: sectionOf(top, 'config'),
});

const sectionOf = (top: Dict, key: string): Json => jsonOf(sectionIn(top, key) ?? EMPTY);
