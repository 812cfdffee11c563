import { ENGINES, NEWEST_ENGINE } from '../../model/engines.js';
import { fail } from '../../model/failure.js';
import { engineUnknown } from './errors.js';

/** Rules of a run that names none. They stay the same, because its history depends on them. */
const UNNAMED = 3;

/** Returns the number of a run's rules. Throws ENGINE_UNKNOWN for rules that this build does not have.
 * @param wanted input of the workflow; people may type it
 * @param known for tests */
export function engineOf(wanted: unknown, known: readonly number[] = ENGINES): number {
  const engine = wanted ?? UNNAMED;
  if (typeof engine === 'number' && known.includes(engine)) return engine;
  throw fail(engineUnknown(engine, known));
}

/** Returns the rules of a run after it continued as new: the newest here, and never less than before. */
export const raised = (engine: number, newest = NEWEST_ENGINE): number => Math.max(engine, newest);
