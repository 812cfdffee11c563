import { readText } from '../../../activities/read-text.js';
import type { Work } from '../../../activities/work.js';
import type { SourceFacts } from '../../../adapters/facts/imports.js';
import { fail, type Problem } from '../../../model/failure.js';
import { lockOf } from '../pure/environment-files.js';
import { readSettings, type Settings } from '../pure/environment.js';
import { type Lock, readLock } from '../pure/lock.js';
import { recipeFiles } from '../pure/recipes.js';
import { environmentLost } from './errors.js';

/** An environment as the plan has it. */
export interface StoredEnvironment {
  readonly settings: Settings;
  /** Files that it includes. The first takes precedence. */
  readonly included: readonly Settings[];
  readonly lock: Lock;
  readonly lockText: string;
  /** Text of each file of the recipe repositories, by its path in the source. */
  readonly recipes: readonly (readonly [path: string, text: string])[];
}

type SpecWork = Work<'buildSpec' | 'proveSpecs'>;
export type Environments = (work: SpecWork) => Promise<StoredEnvironment>;

/** Most records that a worker holds. */
const MOST_HELD = 4;

/** Reads environments from the facts of plans. Each is read once, by the digest of the facts. */
export function openEnvironments(): Environments {
  const held = new Map<string, Promise<StoredEnvironment>>();
  return (work) => {
    const { environment, file, lock = '' } = work.step.params;
    const key = [work.plan.imports?.facts, environment, file, lock].join(' ');
    const known = held.get(key);
    if (known !== undefined) return known;
    const read = readStored(work);
    held.set(key, read);
    read.catch(() => held.delete(key));
    for (const oldest of held.keys()) if (held.size > MOST_HELD) held.delete(oldest);
    return read;
  };
}

async function readStored({ plan, step, store }: SpecWork): Promise<StoredEnvironment> {
  const { environment, file, recipes, included = [], lock: lockFile = lockOf(file) } = step.params;
  const digest = plan.imports?.facts;
  const facts = digest === undefined ? null : (JSON.parse(await readText(store, digest)) as SourceFacts);
  const { text = {}, file: others = {} } = facts?.imports[environment] ?? {};
  const lost = [file, lockFile, ...included].find((path) => typeof (text[path] ?? others[path]) !== 'string');
  if (lost !== undefined) throw fail(environmentLost(step.id, lost));
  const found: Problem[] = [];
  const complain = (problem: Problem): void => void found.push(problem);
  const [settings, ...rest] = [file, ...included].map((path, at) =>
    readSettings((text[path] ?? others[path])!, path, complain, at > 0),
  );
  const lockText = text[lockFile]!;
  const lock = readLock(lockText, lockFile, complain);
  if (found.length > 0 || !settings || lock === null) throw fail(found);
  return {
    ...{ settings, lock, lockText, recipes: recipeFiles(recipes, text) },
    included: rest.filter((one) => one !== null),
  };
}
