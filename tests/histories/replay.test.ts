import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Runtime, Worker } from '@temporalio/worker';
import { bundleWorkflows, quieten, startTemporal } from '../temporal-env.js';
import { record } from './record.js';
import { SCENARIOS } from './scenarios.js';

const pathOf = (name: string): string => join(__dirname, `${name}.json`);
const missing = Object.keys(SCENARIOS).filter((name) => !existsSync(pathOf(name)));

let bundle: { code: string };
beforeAll(async () => {
  bundle = await bundleWorkflows();
  if (process.env['UPDATE_GOLDEN'] !== '1') return quieten();
  const env = await startTemporal();
  for (const name of missing) writeFileSync(pathOf(name), await record(env, bundle, SCENARIOS[name]!));
  await env.teardown();
});

afterAll(() => Runtime.instance().shutdown());

const replay = (text: string): Promise<void> =>
  Worker.runReplayHistory(
    { workflowBundle: bundle, replayName: 'golden' },
    historyFromJSON(JSON.parse(text)),
    'release/thing/1.0',
  );

test('every scenario has a recorded history; UPDATE_GOLDEN=1 records those that have none', () => {
  const recorded = readdirSync(__dirname).filter((file) => file.endsWith('.json'));
  expect(recorded.sort()).toEqual(expect.arrayContaining(Object.keys(SCENARIOS).map((name) => `${name}.json`)));
});

test.each(Object.keys(SCENARIOS))('the run %s replays', async (name) => {
  await replay(readFileSync(pathOf(name), 'utf8'));
});

test('a history of other workflow code is told apart', async () => {
  const text = readFileSync(pathOf('released-1'), 'utf8').replaceAll('"buildWheel"', '"buildOther"');
  await expect(replay(text)).rejects.toThrow();
});

test('one copy of protobufjs reads histories', () => {
  const used = ['@temporalio/common', '@temporalio/proto', '@temporalio/worker'].map((name) =>
    require.resolve('protobufjs', { paths: [require.resolve(`${name}/package.json`)] }),
  );
  expect(new Set(used).size).toBe(1);
});
