/** @long @needs temporal */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { packageRoot } from '../../src/adapters/home.js';
import { createCodec } from '../../src/adapters/temporal/codec/codec.js';
import { dataConverter } from '../../src/adapters/temporal/codec/data-converter.js';
import { newKeyLine, readKeys } from '../../src/adapters/temporal/codec/keys.js';
import { serveCodec } from '../../src/adapters/temporal/codec/server.js';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf } from '../../src/model/ids.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import { Listener } from '../support/listener.js';
import { newHome } from '../support/run-body.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';

const WORKFLOW = workflowIdOf({ name: 'heron', version: '1.0', rehearsal: true });
/** Each stands in something else that Temporal is given. */
const HIDDEN = {
  evidence: `printed-by-the-step-${process.pid}`,
  reason: `said-by-the-operator-${process.pid}`,
  folder: `path-of-the-release-file-${process.pid}`,
  verdict: 'steps/fragile was left out',
  summary: 'telling team: held',
  webhook: `secret-part-of-the-address-${process.pid}`,
};

let home = '';
let keys = '';
let env: TestWorkflowEnvironment;
let client: ReleaseClient;
/** Temporal's own client, with the keys. */
let reader: Client;
let listener: Listener;
const children: ChildProcess[] = [];

beforeAll(async () => {
  home = await newHome();
  keys = join(home, 'codec.keys');
  writeFileSync(keys, `${newKeyLine('2026-11')}\n${newKeyLine('2026-10')}\n`, { mode: 0o600 });
  mkdirSync(join(home, 'temporal'));
  listener = await Listener.start();
  listener.statuses = [503]; // away for a moment: it is told again
  env = await startTemporal(join(home, 'temporal', 'server.db'));
  const converter = await dataConverter({ SLIPWAY_CODEC_KEYS: `file:${keys}` });
  reader = new Client({ connection: env.connection, dataConverter: converter });
  client = await connect({ address: env.address, codecKeys: `file:${keys}` });
  startWorker(['--queue', CONTROL]);
  startWorker(['--queue', 'linux-x86_64']);
  await untilServed(env.connection, CONTROL, 'linux-x86_64');
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await client?.close();
  await env?.teardown();
  listener?.stop();
});

function startWorker(role: readonly string[], more: Record<string, string> = {}): ChildProcess {
  const own = {
    ...{ ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address, SLIPWAY_CODEC_KEYS: `file:${keys}` },
    SLIPWAY_ROOTS: tmpdir(),
    ...{ SLACK_URL: `${listener.address}/${HIDDEN.webhook}`, ...more },
  };
  const child = startWorkerProcess(role, own);
  children.push(child);
  return child;
}

/** A step that fails, and who is to be told of that. */
async function project(): Promise<string> {
  const folder = join(await newHome(), HIDDEN.folder);
  mkdirSync(join(folder, 'release', 'profiles'), { recursive: true });
  const files = {
    'release/slipway.yaml': `slipway: 1
release: { name: heron, version: '1.0' }
source: { git: .. }
platforms: [linux-x86_64]
steps:
  fragile: { run: 'echo ${HIDDEN.evidence}; exit 3' }
notify:
  team: { webhook: $SLACK_URL, rehearsal: true }
`,
    'release/profiles/quiet.yaml': 'rehearsal: true\n',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const git = (...argv: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=heron', '-c', 'user.email=heron@localhost', ...argv], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  return join(folder, 'release', 'slipway.yaml');
}

/** Null while no worker answers in time, as one that has just come may not on a busy machine. */
const status = (): Promise<RunStatus | null> =>
  client.status(WORKFLOW).catch((error: SlipwayFailure) => {
    if (error.first?.code === 'NO_WORKER_ANSWERS') return null;
    throw error;
  });

/** Search attributes, as the server lists them. */
async function described(): Promise<string> {
  const { typedSearchAttributes } = await reader.workflow.getHandle(WORKFLOW).describe();
  return JSON.stringify(typedSearchAttributes.getAll());
}

/** The database with all of its write-ahead log. */
const database = (): Buffer =>
  Buffer.concat(
    readdirSync(join(home, 'temporal'))
      .filter((file) => !file.endsWith('-journal')) // comes and goes
      .map((file) => readFileSync(join(home, 'temporal', file))),
  );

test("given keys, when a run is held, answered and ended, then the server's database has no plain text of it", async () => {
  // Workflows first go to somebody without a key: its task fails and says why, and the run waits for somebody who has it.
  const keyless = startWorker(['--workflows'], { SLIPWAY_CODEC_KEYS: '' });
  const input = { name: 'heron', version: '1.0', rehearsal: true, file: await project(), profile: 'quiet' };
  await client.start({ ...input, by: 'kim' });
  const handle = env.client.workflow.getHandle(WORKFLOW);
  const why = await until(async () => {
    const { events } = await handle.fetchHistory();
    const failed = events?.find(
      ({ workflowTaskFailedEventAttributes: task }) => task,
    )?.workflowTaskFailedEventAttributes;
    return failed?.failure?.message ?? null;
  });
  expect(why).toContain('CODEC_KEY_MISSING');
  expect(why).toContain('"2026-11"');
  keyless.kill('SIGTERM');
  await new Promise((resolve) => keyless.once('exit', resolve));
  startWorker(['--workflows']);

  // The server knows the state without a worker: nobody waits for a query that nobody answers.
  await until(async () => (await described()).includes('held'));
  const held = await until(status);
  expect(held.state).toBe('held');
  expect(held.steps.find(({ id }) => id === 'steps/fragile')).toMatchObject({
    state: 'held',
    problems: [{ code: 'STEP_COMMAND_FAILED', evidence: expect.arrayContaining([HIDDEN.evidence]) as unknown }],
  });
  await until(async () => listener.heard.length > 1);
  const said = await client.act(WORKFLOW, { action: 'skip', step: 'steps/fragile', reason: HIDDEN.reason, by: 'kim' });
  expect(said).toMatchObject({ ok: true });
  const ended = await until(async () => {
    const now = await status();
    return now?.verdict && now;
  });
  expect(ended.verdict!.reasons[0]).toContain(HIDDEN.reason);
  expect(ended.failedNotifications).toBeUndefined();
  await handle.result().catch(() => undefined);

  const heard = listener.heard.map(({ body }) => body);
  expect(heard.map(({ event }) => event)).toEqual(['held', 'held', 'verdict']);
  expect(heard[1]).toEqual(heard[0]);
  expect(heard[0]!['text']).toContain('slipway retry steps/fragile');

  const bytes = database();
  expect(bytes.includes('SlipwayHeld')).toBe(true);
  expect(bytes.includes('2026-11')).toBe(true);
  expect(Object.values(HIDDEN).filter((text) => bytes.includes(text))).toEqual([]);
  expect(readFileSync(join(home, 'workers.log'), 'utf8')).not.toContain(HIDDEN.webhook);
});

/** Payloads in the tool's JSON are base64 of what is in them. */
const unpacked = (json: string): string =>
  [...json.matchAll(/"data": "([^"]*)"/g)].map(([, data]) => Buffer.from(data!, 'base64').toString()).join('\n');

test('given the codec server, then Temporal’s own command line reads the run, and without it does not', async () => {
  const server = await serveCodec(createCodec(await readKeys({ SLIPWAY_CODEC_KEYS: `file:${keys}` })), 0, []);
  const cli = join(packageRoot(), '.tools', 'bin', 'temporal');
  const show = (...more: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const argv = ['workflow', 'show', '--output', 'json', '-w', WORKFLOW, '--address', env.address, ...more];
      const child = spawn(cli, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
      child.on('close', () => resolve(text));
    });
  try {
    const [plain, hidden] = [unpacked(await show('--codec-endpoint', server.address)), unpacked(await show())];
    for (const text of [HIDDEN.evidence, HIDDEN.reason]) expect([plain.includes(text), hidden.includes(text)]).toEqual([true, false]); // prettier-ignore
  } finally {
    await server.close();
  }
});

test('given the keys, then its history replays', async () => {
  const history = await env.client.workflow.getHandle(WORKFLOW).fetchHistory();
  const converter = await dataConverter({ SLIPWAY_CODEC_KEYS: `file:${keys}` });
  const workflowBundle = await bundleWorkflows(converter.failureConverterPath);
  const options = { workflowBundle, dataConverter: converter, replayName: 'encrypted' };
  await Worker.runReplayHistory(options, history, WORKFLOW);
  const keyless = { ...options, dataConverter: await dataConverter({}), replayName: 'keyless' };
  await expect(Worker.runReplayHistory(keyless, history, WORKFLOW)).rejects.toThrow('CODEC_KEY_MISSING');
});

test('given a reader without the key, then the error names the key', async () => {
  const stranger = await connect({ address: env.address, codecKeys: '' });
  await expect(stranger.status(WORKFLOW)).rejects.toThrow('CODEC_KEY_MISSING');
  await stranger.close();
});

test('given search attributes and activity ids, then they stay readable, because the server needs them', async () => {
  const found: string[] = [];
  for await (const one of reader.workflow.list({ query: `WorkflowType = '${RELEASE_WORKFLOW}' AND SlipwayRelease = 'heron/1.0'` })) found.push(one.workflowId); // prettier-ignore
  expect(found).toEqual([WORKFLOW]);
  expect(database().includes('steps/fragile')).toBe(true);
});
