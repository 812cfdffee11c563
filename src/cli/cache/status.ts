import { cacheWheels } from '../../engine/index/cache-wheels.js';
import { targetCounts } from '../../engine/index/cache-table.js';
import { fail } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import { records } from '../../model/run-folder.js';
import type { ExitCode, Input, Io } from '../command.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { cacheStatusLines } from '../screens/cache-status.js';
import { answerTimes } from './answer-times.js';
import { noWheelList } from './errors.js';
import { CACHE_FILE, findCache } from './find-cache.js';

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
