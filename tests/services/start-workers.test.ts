import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { startWorkers } from '../../src/services/start-workers.js';
import { newHome } from '../support/run-body.js';

const RUNS = [{ workflowId: 'release/thing/1.0', why: 'Nondeterminism error' }];

/** A build whose replay program prints the text if it is asked for the server that the environment names, and whose worker
 * leaves a file. */
async function aBuild(prints: string, own: NodeJS.ProcessEnv = {}, asksRole = '') {
  const env = { ...process.env, TEMPORAL_ADDRESS: 'far:7233', ...own };
  const packageRoot = await newHome();
  const workers = join(packageRoot, 'dist', 'workers');
  mkdirSync(workers, { recursive: true });
  const started = join(packageRoot, 'started');
  writeFileSync(join(workers, 'replay-main.js'), `if (process.env.TEMPORAL_ADDRESS === 'far:7233') ${prints}`);
  writeFileSync(join(workers, 'role-main.js'), asksRole);
  writeFileSync(join(workers, 'without-call-stacks.js'), '');
  writeFileSync(join(workers, 'main.js'), `require('node:fs').writeFileSync('${started}', '')`);
  const start = (queue: string, deployment: string | null = null, ...more: readonly string[]) =>
    startWorkers({ queues: [queue, ...more], deployment, packageRoot, env }).catch(
      (error: SlipwayFailure) => error.first.code,
    );
  return { start, isStarted: () => existsSync(started) };
}

test('given open runs of the server that this code cannot replay, then no worker of workflows starts', async () => {
  const { start, isStarted } = await aBuild(`console.log('${JSON.stringify(RUNS)}')`);
  expect(await start('workflows')).toBe('OPEN_RUNS_DIVERGE');
  expect(isStarted()).toBe(false);
  expect(await start('control')).toBe(0);
});

test('given open runs that this code replays, then a worker of workflows starts', async () => {
  const { start, isStarted } = await aBuild(`console.log('[]')`);
  expect([await start('workflows'), isStarted()]).toEqual([0, true]);
});

test('given a port of metrics that leaves the second worker none, then no worker starts', async () => {
  const { start, isStarted } = await aBuild('', { SLIPWAY_METRICS: '65535' });
  expect([await start('gpu', null, 'control'), isStarted()]).toEqual(['METRICS_ADDRESS_INVALID', false]);
  expect(await start('control')).toBe(0);
});

test('given a certificate that may not serve workflows, then that ends it before the replay, and no worker of workflows starts', async () => {
  const { start, isStarted } = await aBuild('process.exit(2)', {}, 'process.exit(1)');
  expect([await start('workflows'), isStarted()]).toEqual([1, false]);
  expect(await start('control')).toBe(0);
});

test('given a deployment, then the open runs of its own build are replayed before its worker starts', async () => {
  const { start, isStarted } = await aBuild(`if (/^releases:[0-9a-f]{16}$/.test(process.argv[2])) console.log('[]')`);
  expect([await start('workflows', 'releases'), isStarted()]).toEqual([0, true]);
  const other = await aBuild(`console.log('${JSON.stringify(RUNS)}')`);
  expect([await other.start('workflows', 'releases'), other.isStarted()]).toEqual(['OPEN_RUNS_DIVERGE', false]);
});
