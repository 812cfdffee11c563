import { fail } from '../../model/failure.js';
import { parseCron, parseEvery, type Rhythm } from '../../model/rhythm.js';
import type { Input } from '../command.js';
import { noRhythm, notACronLine, notAnInterval } from './errors.js';

/** Returns when runs start, by `--every` or `--cron`. Throws SCHEDULE_SPEC_INVALID. */
export function rhythmIn({ every, cron }: Input['options']): Rhythm {
  if ((typeof every === 'string') === (typeof cron === 'string')) throw fail(noRhythm(every !== undefined));
  const said = String(every ?? cron);
  const parsed = every === undefined ? parseCron(said) : parseEvery(said);
  if ('rhythm' in parsed) return parsed.rhythm;
  throw fail((every === undefined ? notACronLine : notAnInterval)(said, parsed.faults));
}
