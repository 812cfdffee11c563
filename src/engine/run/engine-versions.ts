import { ENGINES, NEWEST_ENGINE } from '../../model/engines.js';
import { fail } from '../../model/failure.js';
import { engineUnknown } from './errors.js';

/** Version of the rules for a run that names none. It never changes, because such histories depend on it. */
const UNNAMED = 3;

/** Returns the version of a run's rules. Throws ENGINE_UNKNOWN for one that this build lacks.
 * @param wanted input of the workflow, possibly typed by hand
 * @param known for tests */
export function engineOf(wanted: unknown, known: readonly number[] = ENGINES): number {
  const engine = wanted ?? UNNAMED;
  if (typeof engine === 'number' && known.includes(engine)) return engine;
  throw fail(engineUnknown(engine, known));
}

/** Returns the version of the rules after continue-as-new: the newest here, and never less than before. */
export const raised = (engine: number, newest = NEWEST_ENGINE): number => Math.max(engine, newest);
