import { cacheWheels, type JudgedRun } from '../../engine/index/cache-wheels.js';
import { targetCounts } from '../../engine/index/cache-table.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { RunStatus } from '../../model/messages.js';
import type { Rows } from '../../model/rows.js';
import { records } from '../../model/run-folder.js';
import type { ExitCode, Input, Io } from '../command.js';
import { statusOf } from '../find-run.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { cacheStatusLines } from '../screens/cache-status.js';
import { planOf, storedJson } from '../stored-plan.js';
import { answerTimes } from './answer-times.js';
import { noWheelList, neverRun } from './errors.js';

export const CACHE_FILE = 'slipway.yaml';

/** Tells what became of each wanted wheel. Reads the store alone: no index is asked. */
export async function cacheStatus(input: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const file = input.args['file'] ?? CACHE_FILE;
  const run = await findCache(input, ports);
  const lists = (run.plan.imports?.of ?? []).filter(({ from }) => from === 'wheel-list');
  if (lists.length === 0) throw fail(noWheelList(run.status.workflowId, file));
  const wheels = cacheWheels(run);
  const { workflowId, run: id, state, verdict } = run.status;
  const about = { workflowId, run: id, state, ...(verdict && { verdict: verdict.verdict }) };
  const after = await (await ports.store()).read<readonly Finding[]>(records.findingsAfter(run.status.run));
  const notices = [...lists.flatMap((list) => list.notices), ...(after ?? [])];
  const asked = await answerTimes(run.plan, ports);
  if (input.options['json'] === true)
    io.out(JSON.stringify({ ...about, asked, targets: targetCounts(wheels), wheels, notices }));
  else {
    const told = { ...about, name: run.status.name, asked, wheels, notices, file, nowMs: Date.now() };
    io.out(cacheStatusLines(told, colours(io.terminal.colour)).join('\n'));
  }
  return 0;
}

/** The newest run of a release file, or the one that `--run` names, with its plan and rows. Throws CACHE_NEVER_RUN. */
async function findCache({ args, options }: Input, ports: Ports): Promise<JudgedRun> {
  const file = args['file'] ?? CACHE_FILE;
  const asked = options['run'];
  const status =
    typeof asked === 'string'
      ? await statusOf(ports, asked)
      : await newestOf(file, await ports.runsOf(file, String(options['profile'] ?? 'local')), ports);
  const plan = await planOf(status, ports);
  return { status, plan, rows: await storedJson<Rows>(plan.imports?.rows, ports) };
}

/** @param runs `pipeline/NAME` */
async function newestOf(file: string, runs: string, ports: Ports): Promise<RunStatus> {
  return statusOf(ports, runs).catch((error: unknown) => {
    if (error instanceof SlipwayFailure && error.first.code === 'UNKNOWN_RUN') throw fail(neverRun(runs, file), error);
    throw error;
  });
}
