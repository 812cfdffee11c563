import { readText } from '../../../activities/read-text.js';
import type { Work } from '../../../activities/work.js';
import type { SourceFacts } from '../../../adapters/facts/imports.js';
import { fail, type Problem } from '../../../model/failure.js';
import type { Settings } from '../pure/environment.js';
import { readEnvironment } from '../pure/environment.js';
import { lockOf } from '../pure/import-spack.js';
import { type Lock, readLock } from '../pure/lock.js';
import { recipeFiles } from '../pure/recipes.js';
import { environmentLost } from './errors.js';

/** An environment as the plan has it. */
export interface StoredEnvironment {
  readonly settings: Settings;
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
    const { environment, file } = work.step.params;
    const key = [work.plan.imports?.facts, environment, file].join(' ');
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
  const { environment, file, recipes } = step.params;
  const digest = plan.imports?.facts;
  const facts = digest === undefined ? null : (JSON.parse(await readText(store, digest)) as SourceFacts);
  const text = facts?.imports[environment]?.text ?? {};
  const [yaml, lockText] = [text[file], text[lockOf(file)]];
  if (typeof yaml !== 'string' || typeof lockText !== 'string') throw fail(environmentLost(step.id, file));
  const found: Problem[] = [];
  const complain = (problem: Problem): void => void found.push(problem);
  const read = readEnvironment(yaml, file, complain);
  const lock = readLock(lockText, lockOf(file), complain);
  if (read === null || lock === null) throw fail(found);
  return { settings: read.settings, lock, lockText, recipes: recipeFiles(recipes, text) };
}
