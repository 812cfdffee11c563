/** @needs sandbox */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterRequest } from '../../src/activities/clusters/ports.js';
import { createCommandClusters } from '../../src/adapters/clusters/by-command.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import type { Problem } from '../../src/model/failure.js';
import type { ClusterLines } from '../../src/model/tests/cluster.js';
import { newHome } from '../support/run-body.js';

/** A "cluster" that is a folder: its lines are what a person would write for another machine. */
const LINES: ClusterLines = {
  up: 'echo making; mkdir head; echo "{\\"folder\\": \\"$PWD/head\\"}"',
  nodes: 'echo 3',
  put: 'mkdir -p "head$TO"; cp -R "$FROM/out" "head$TO/"',
  get: 'cp "head$FROM/result.json" "$TO/"',
  run: 'echo "$BY $SCRIPT with $HANDLE"; exit 7',
  down: 'rm -rf head; echo "$HANDLE in $TO" > down',
};

const FIRST = { endMs: 60_000, again: false, leaves: () => false };

async function request(lines: Partial<ClusterLines> = {}): Promise<ClusterRequest> {
  const folder = await newHome();
  mkdirSync(join(folder, 'out'));
  return {
    spec: { name: 'far', manager: { by: 'command', lines: { ...LINES, ...lines } }, nodes: 3, cpus: 1, upMs: 60_000 },
    ...{ id: 'run-1', folder, venv: null, env: { PATH: '/usr/bin:/bin' }, confine: (command) => command },
    ...{ containers: null, signal: new AbortController().signal, log: () => undefined },
  };
}
const clusters = async () => createCommandClusters(createPrograms({ running: join(await newHome(), 'running') }));

test('given six lines, when a test runs, then each line does its part, and `down` gets the handle', async () => {
  const asked = await request();
  const cluster = await (await clusters()).up(asked);
  expect(await cluster.nodes()).toHaveLength(3);
  writeFileSync(join(asked.folder, 'out', 'result.json'), '{}');
  await cluster.put();
  expect(existsSync(join(asked.folder, 'head', cluster.at, 'out', 'result.json'))).toBe(true);
  await cluster.get();
  let said = '';
  const { signal } = new AbortController();
  const onOutput = (text: string): void => void (said += text);
  expect(await cluster.run({ script: `${cluster.at}/run.sh`, by: 'job', id: 'x', ...FIRST, signal, onOutput })).toBe(7);
  expect(said).toContain(`job ${cluster.at}/run.sh with {"folder"`);
  await cluster.down();
  expect(readFileSync(join(asked.folder, 'down'), 'utf8')).toContain(`/head"} in ${cluster.at}`);
});

test.each<[string, Partial<ClusterLines>, string, string]>([
  ['`up` fails', { up: 'exit 3' }, 'CLUSTER_FAILED', 'status 3'],
  ['`up` prints no JSON', { up: 'echo made' }, 'CLUSTER_FAILED', 'no JSON'],
])('given %s, then the start fails and `down` runs', async (_, lines, code, told) => {
  const asked = await request(lines);
  const problem = await (await clusters()).up(asked).then(
    () => null,
    (error: { first: Problem }) => error.first,
  );
  expect(problem).toMatchObject({ code, class: 'infra' });
  expect(problem?.message).toContain(told);
  expect(existsSync(join(asked.folder, 'down'))).toBe(true);
});

test('given a `down` that fails, when the cluster ends, then it is told as left', async () => {
  const left = 'the line `down` ended with status 4';
  const made = await clusters();
  expect(await (await made.up(await request({ down: 'exit 4' }))).down()).toBe(left);
  expect(await (await made.up(await request())).down()).toBeNull();
  const failed = made.up(await request({ up: 'exit 3', down: 'exit 4' }));
  await expect(failed).rejects.toMatchObject({ problems: [{ code: 'CLUSTER_FAILED', details: { left } }] });
});

test('given a test that an earlier worker started, when it is followed, then `attach` gets the job and the handle', async () => {
  const asked = await request({ attach: 'echo "following $JOB of $HANDLE"; exit 3' });
  const { at } = await (await clusters()).up(asked);
  const cluster = await (await clusters()).find(asked, `${at} {"a": 1}`);
  expect(cluster.at).toBe(at);
  let said = '';
  const { signal } = new AbortController();
  const onOutput = (text: string): void => void (said += text);
  const line = { script: 'run.sh', by: 'job', id: 'run-1-run', ...FIRST, again: true, signal, onOutput } as const;
  expect(await cluster.run(line)).toBe(3);
  expect(said).toContain('following run-1-run of {"a": 1}');
});

test('given a cluster of an older version, then its folder has the former name, which `down` does not get', async () => {
  const asked = await request();
  const cluster = await (await clusters()).find(asked, '{"a": 1}');
  expect(cluster.at).toBe('/tmp/slipway/run-1');
  await cluster.down();
  expect(readFileSync(join(asked.folder, 'down'), 'utf8')).toBe('{"a": 1} in \n');
});

test('given `put` fails, then the failure says so and is of the surroundings', async () => {
  const cluster = await (await clusters()).up(await request({ put: 'exit 5' }));
  await expect(cluster.put()).rejects.toMatchObject({ problems: [{ code: 'FILES_NOT_PUT', class: 'infra' }] });
});

test('given that `nodes` prints no number, then it is an error, and no node is counted', async () => {
  const cluster = await (await clusters()).up(await request({ nodes: 'echo many' }));
  await expect(cluster.nodes()).rejects.toThrow('printed no number');
});

test('given that the line `nodes` fails, then the error has its last line of output', async () => {
  const cluster = await (await clusters()).up(await request({ nodes: 'echo 0; echo "no such host" >&2; exit 6' }));
  await expect(cluster.nodes()).rejects.toThrow('the line `nodes` ended with status 6: no such host');
});

test('given that `nodes` prints fewer than before, then the last nodes are lost', async () => {
  const asked = await request({ nodes: 'cat number' });
  const cluster = await (await clusters()).up(asked);
  const alive = async (count: number): Promise<readonly boolean[]> => {
    writeFileSync(join(asked.folder, 'number'), `${count}\n`);
    return (await cluster.nodes()).map((node) => node.alive);
  };
  expect(await alive(3)).toEqual([true, true, true]);
  expect(await alive(2)).toEqual([true, true, false]);
  expect(await alive(3)).toEqual([true, true, true]);
});
