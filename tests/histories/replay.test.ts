/** @needs temporal */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { Runtime, Worker } from '@temporalio/worker';
import { engineOf } from '../../src/engine/run/engine-versions.js';
import { BISECT_WORKFLOW } from '../../src/model/bisect.js';
import { INDEX_WORKFLOW } from '../../src/model/index-writer.js';
import { ENGINES } from '../../src/model/engines.js';
import { workflowIdOf } from '../../src/model/ids.js';
import type { ReleaseInput } from '../../src/model/messages.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, quieten, startTemporal } from '../temporal-env.js';
import { INDEX_RUN, recordIndex } from './index-run.js';
import { record, textOf } from './record.js';
import { SCENARIOS } from './scenarios.js';

const fileOf = (name: string, at = 0): string => `${name}${at > 0 ? `.${at + 1}` : ''}.json`;
const pathOf = (...file: Parameters<typeof fileOf>): string => join(__dirname, fileOf(...file));
const recorded = (): readonly string[] => readdirSync(__dirname).filter((file) => file.endsWith('.json'));
const missing = Object.keys(SCENARIOS).filter((name) => !existsSync(pathOf(name)));

let bundle: { code: string };
beforeAll(async () => {
  bundle = await bundleWorkflows();
  if (process.env['UPDATE_GOLDEN'] !== '1') return quieten();
  const env = await startTemporal();
  for (const name of missing)
    for (const [at, text] of (await record(env, bundle, SCENARIOS[name]!)).entries())
      writeFileSync(pathOf(name, at), text);
  if (!existsSync(pathOf('indexed')))
    for (const [at, one] of (await recordIndex(env, bundle)).entries()) writeFileSync(pathOf('indexed', at), textOf(one));
  await env.teardown();
});

afterAll(() => Runtime.instance().shutdown());

const replay = (text: string, workflowId = 'release/thing/1.0'): Promise<void> =>
  Worker.runReplayHistory(
    { workflowBundle: bundle, dataConverter: CONVERTER, replayName: 'golden' },
    historyFromJSON(JSON.parse(text)),
    workflowId,
  );

test('given every scenario, then it has a recorded history; UPDATE_GOLDEN=1 records missing ones', () => {
  expect(recorded()).toEqual(expect.arrayContaining(Object.keys(SCENARIOS).map((name) => fileOf(name))));
});

test('given a run that continued as new, then each of its histories is recorded', () => {
  expect(recorded()).toContain(fileOf('continued', 1));
});

test('given every engine number that this build knows, then a history of it is recorded', () => {
  const began = recorded().map((file) => readFileSync(join(__dirname, file), 'utf8'));
  const inputs = began.flatMap((text) => {
    const [first] = (JSON.parse(text) as { events: Began[] }).events;
    const { workflowType, input } = first!.workflowExecutionStartedEventAttributes;
    if ([BISECT_WORKFLOW, INDEX_WORKFLOW].includes(workflowType.name)) return [];
    return [JSON.parse(Buffer.from(input.payloads[0]!.data, 'base64').toString()) as ReleaseInput];
  });
  const kept = new Set(inputs.map(({ engine }) => engineOf(engine)));
  expect([...kept].sort()).toEqual([...ENGINES]);
});
interface Began {
  readonly workflowExecutionStartedEventAttributes: {
    readonly workflowType: { readonly name: string };
    readonly input: { readonly payloads: readonly { readonly data: string }[] };
  };
}

test.each(Object.keys(SCENARIOS))('given the run %s, then its recorded histories replay', async (name) => {
  const files = recorded().filter((file) => file.startsWith(`${name}.`));
  const { skeleton, workflowId = workflowIdOf(skeleton) } = SCENARIOS[name]!;
  for (const file of files) await replay(readFileSync(join(__dirname, file), 'utf8'), workflowId);
});

test.each(['bisected', 'blamed'])('given the bisect %s, then it replays', async (name) => {
  await Worker.runReplayHistory(
    { workflowBundle: bundle, dataConverter: CONVERTER, replayName: 'golden' },
    historyFromJSON(JSON.parse(readFileSync(pathOf(name), 'utf8'))),
  );
});

test('given an index writer that drew, was refused and continued as new, then its histories replay', async () => {
  expect(recorded()).toContain(fileOf('indexed', 1));
  for (const file of recorded().filter((one) => one.startsWith('indexed.')))
    await replay(readFileSync(join(__dirname, file), 'utf8'), INDEX_RUN);
});

test('given a history of other workflow code, then the replay fails', async () => {
  const text = readFileSync(pathOf('released'), 'utf8').replaceAll('"buildWheel"', '"buildOther"');
  await expect(replay(text)).rejects.toThrow();
});

test('given the Temporal packages, then they share one copy of protobufjs', () => {
  const used = ['@temporalio/common', '@temporalio/proto', '@temporalio/worker'].map((name) =>
    require.resolve('protobufjs', { paths: [require.resolve(`${name}/package.json`)] }),
  );
  expect(new Set(used).size).toBe(1);
});
