import { ENGINES, NEWEST_ENGINE } from '../../model/engines.js';
import { fail } from '../../model/failure.js';
import { engineUnknown } from './errors.js';

/** Of runs that say none: histories from before they said one are among them. */
const FIRST = 1;

/** @param wanted typed by hand: anything may stand there
 * @param known for tests */
export function engineOf(wanted: unknown, known: readonly number[] = ENGINES): number {
  const engine = wanted ?? FIRST;
  if (typeof engine === 'number' && known.includes(engine)) return engine;
  throw fail(engineUnknown(engine, known));
}

/** What the next generation decides by: the newest here, and never less than before. */
export const raised = (engine: number, newest = NEWEST_ENGINE): number => Math.max(engine, newest);
