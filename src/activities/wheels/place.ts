import { fail } from '../../model/failure.js';
import type { Access } from '../../model/isolation.js';
import type { Where } from '../../model/params.js';
import { limitReached } from '../step/errors.js';
import { inContainer, toLog } from '../steps/where.js';
import type { ImageContainers } from '../tests/ports.js';
import type { Work } from '../work.js';

export interface BuildLocation {
  /** Runs a program or a shell line with output to the log. Returns the exit status; a time-out or an abort throws. */
  run(
    argv: readonly string[] | string,
    options: { cwd: string; env: Record<string, string>; access?: Access },
  ): Promise<number>;
}

/** The worker's host, or a container with workspace, Pythons, tools and caches at the same paths. */
export function placeOf(
  work: Work,
  where: Where,
  containers: ImageContainers | null,
  pythons: readonly string[],
): BuildLocation {
  if (where.in === 'host') return { run: async (argv, options) => (await work.exec(argv, options)).code };
  return {
    run: async (argv, options) => {
      const line = { line: argv, ...options, pythons, onOutput: toLog(work) };
      const { code, timedOut } = await inContainer(work, { containers }, where.base, line);
      if (timedOut) throw fail(limitReached(work.step.id, work.step.limitMs, work.log.tail()));
      return code;
    },
  };
}
