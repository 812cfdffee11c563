import type { Work } from '../../../activities/work.js';
import type { Requirements } from './requirements.js';

export function commandIn(lock: string): string | null {
  const head = lock.split('\n').slice(0, 10);
  const said = head.findIndex((line) => /^# .*(via|by) the following command:?$/.test(line));
  return said < 0 ? null : (/^# {4}(.+)$/.exec(head.slice(said + 1).find((line) => line !== '#') ?? '')?.[1] ?? null);
}

/** Sets the command in the header of an exact lock: the committed lock's, else what a person would type. Paths of this
 * machine never enter a lock. */
export function headerEnv(
  variable: string,
  program: string,
  work: Work<'compileLock'>,
  from: Requirements,
): Readonly<Record<string, string>> {
  const { exact, lock, options = [] } = work.step.params;
  if (!exact) return {};
  const typed = [program, ...options, ...from.constraints.map((file) => `-c ${file}`), ...from.in];
  const command = [...typed, ...(lock === undefined ? [] : [`-o ${lock}`])].join(' ');
  return { [variable]: (from.committed && commandIn(from.committed)) ?? command };
}
