import type { JudgedRun } from '../../engine/index/cache-wheels.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { RunStatus } from '../../model/messages.js';
import type { Input } from '../command.js';
import { statusOf } from '../find-run.js';
import { storedRows } from '../find-row.js';
import type { Ports } from '../ports.js';
import { planOf } from '../stored-plan.js';
import { neverRun } from './errors.js';

export const CACHE_FILE = 'slipway.yaml';

/** The newest run of a release file, or the one that `--run` names, with its plan and rows. Throws CACHE_NEVER_RUN. */
export async function findCache({ args, options }: Input, ports: Ports): Promise<JudgedRun> {
  const file = args['file'] ?? CACHE_FILE;
  const asked = options['run'];
  const status =
    typeof asked === 'string'
      ? await statusOf(ports, asked)
      : await newestOf(file, await ports.runsOf(file, String(options['profile'] ?? 'local')), ports);
  const plan = await planOf(status, ports);
  return { status, plan, rows: await storedRows(plan, ports) };
}

/** @param runs `pipeline/NAME` */
async function newestOf(file: string, runs: string, ports: Ports): Promise<RunStatus> {
  return statusOf(ports, runs).catch((error: unknown) => {
    if (error instanceof SlipwayFailure && error.first.code === 'UNKNOWN_RUN') throw fail(neverRun(runs, file), error);
    throw error;
  });
}
