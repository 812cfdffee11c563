/** @needs ray sshd */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { processesWith, rayBody, rayParams, rayStep, atLine } from '../support/a-cluster-test.js';
import { makeSshd } from '../support/real-sshd.js';
import { runBody, type RunBody } from '../support/run-body.js';
import { aRayHome } from './at-end.js';

const SCRIPT = `import json, os, ray
ray.init()
@ray.remote
def square(n): return n * n
json.dump({"total": sum(ray.get([square.remote(n) for n in range(10)]))}, open(os.environ["TEST_OUTPUT_JSON"], "w"))
print("squared", flush=True)
`;
/** A network without a way out for each connection, because Ray listens everywhere. */
const ALONE = process.getuid?.() === 0 ? 'unshare --net' : 'unshare --user --map-root-user --net';

async function onRack(run: string, runId: string, options: RunBody = {}) {
  const home = await aRayHome();
  const { config } = makeSshd(home, ALONE);
  const ray = join(packageRoot(), '.tools', 'ray');
  const cluster = { ...rayParams().cluster, manager: { by: 'ssh', hosts: ['rack'], ray, config } } as const;
  const step = rayStep({ cluster, run, result: 'total.json', alerts: [{ value: 'total', equals: 285 }] });
  return runBody(rayBody(home), step, { home, files: { 'squares.py': SCRIPT }, run: runId, ...options });
}

test('given a host with Ray, when a test runs by ssh, then its result is fetched and nothing is left on the host', async () => {
  const { made, log } = await onRack('python "$SLIPWAY_FILES/squares.py"', 'a0a0a0a0a0a0a0a0');
  expect(made.artifacts.map(({ name }) => name)).toEqual(['test_config.json', 'total.json']);
  expect(log).toContain('squared\n');
  expect(processesWith('a0a0a0a0')).toEqual([]);
});

test('given a cancelled attempt, then child processes get SIGTERM, and the host ends all within 15 s', async () => {
  const note = join(await aRayHome(), 'child');
  const child = `(trap 'echo told > ${note}; exit' TERM; echo "the test has begun"; sleep 600 & wait) & wait; wait`;
  const cancel = new AbortController();
  let atMs = 0;
  const surroundings = atLine('the test has begun', () => {
    atMs = performance.now();
    cancel.abort();
  });
  const ended = onRack(child, 'b0b0b0b0b0b0b0b0', {
    signal: cancel.signal,
    surroundings,
  });
  await expect(ended as Promise<unknown>).rejects.toThrow();
  expect(performance.now() - atMs).toBeLessThan(15_000);
  expect(readFileSync(note, 'utf8')).toBe('told\n');
  expect(processesWith('b0b0b0b0')).toEqual([]);
});
