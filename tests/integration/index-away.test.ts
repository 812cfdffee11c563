/** @long @needs temporal registries sandbox */
import type { ServerResponse } from 'node:http';
import { connect } from '../../src/client/connect.js';
import { CONTROL, PIPELINE_WORKFLOW } from '../../src/model/ids.js';
import { JSON_PAGE } from '../doubles/python-index.js';
import { listedIn, snapshot } from '../activities/index/an-index.js';
import type { Said } from '../support/own-services.js';
import { until } from '../support/until.js';
import { aWheelCache, listed, PLATFORMS, type WheelCache } from './a-wheel-cache.js';

let cache: WheelCache;
/** Every plan asks again. */
const ALWAYS = '    maxAge: 0s\n';
/** One cache for all tests: each pins projects of its own. */
beforeAll(async () => {
  cache = await aWheelCache();
});
beforeEach(() => cache.release(listed(ALWAYS)));
afterAll(() => cache?.close());

/** Lets upstream list projects, and pins them. */
function pins(projects: readonly string[]): void {
  for (const name of projects) cache.project(name, '1.0');
  cache.commit(projects.map((name) => `${name}==1.0\n`).join(''));
}
const inOurs = (projects: readonly string[]): readonly string[] =>
  projects.filter((name) => PLATFORMS.some((platform) => listedIn(cache.wheels.root, name, platform).length > 0));

/** Fails with all that the program printed. */
function ended({ code, stdout, stderr }: Said): void {
  if (code !== 0) throw new Error(`it ended with ${code}:\n${stderr}${stdout}`);
}

test('given an index that is gone before the first plan, then nothing starts by hand, and a run that plans itself waits for it', async () => {
  pins(['barge']);
  cache.door.shut();
  for (const command of ['plan', 'run'])
    expect(await cache.slipway(command)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('INDEX_UNREACHABLE'),
    });
  const offline = await cache.slipway('plan', '--offline');
  expect(offline).toMatchObject({ code: 0, stdout: expect.stringContaining('2 unanswered') });

  cache.release(listed(ALWAYS).replace('label: minute', 'label: n0'));
  const workflowId = 'pipeline/boats/n0';
  const input = { file: cache.file, profile: 'local', onFailure: 'fail' };
  const handle = await cache.env.client.workflow.start(PIPELINE_WORKFLOW, {
    ...{ taskQueue: CONTROL, workflowId, args: [input] },
  });
  const client = await connect({ address: cache.env.address });
  const waiting = await until(async () => {
    const status = await client.status(workflowId);
    return status.waits !== undefined && status;
  });
  expect(waiting).toMatchObject({ waits: expect.stringContaining('the Python index gave no answer'), steps: [] });
  await cache.door.open();
  await handle.result();
  await client.close();
  expect(inOurs(['barge'])).toEqual(['barge']);
});

test('given an index that is gone in the middle of an answer, then only what it answered is built, and a later run builds the rest', async () => {
  const onOne = listed(ALWAYS).replace(', debian-13: [cp311]', '');
  const asked = cache.upstream.requests.length;
  const all = ['skiff', 'oars', 'boat', 'canoe', 'raft', 'punt'];
  pins(all);
  const cutShort = async (response: ServerResponse): Promise<void> => {
    // Four connections ask: once all six were asked, two answers have arrived whole.
    await until(() => cache.upstream.requests.length - asked >= all.length);
    response.writeHead(200, { 'content-type': JSON_PAGE });
    response.write('{"meta":{"api-version":"1.1"},"name":"boat","files":[', () => cache.door.shut());
  };
  cache.upstream.answer('boat', (_, response) => void cutShort(response));
  cache.release(onOne.replace('label: minute', 'label: n1'));
  const first = await cache.slipway('run', '--no-wait');
  ended(first);
  await cache.door.open();
  const watched = await cache.slipway('watch');
  ended(watched);
  const answered = inOurs(all);
  expect(answered.length).toBeGreaterThanOrEqual(2);
  expect(answered).not.toContain('boat');
  expect(await cache.slipway('cache', 'status')).toMatchObject({ stdout: expect.stringContaining('boat') });

  pins(all.toReversed());
  cache.release(onOne.replace('label: minute', 'label: n2'));
  const second = await cache.slipway('run', '--wait');
  ended(second);
  expect(inOurs(all)).toEqual(all);
});

test('given an index that is gone after an answer, or --offline, then nothing is asked, built or lost', async () => {
  pins(['ketch']);
  expect(await cache.slipway('run', '--wait')).toMatchObject({ code: 0 });
  pins(['ketch', 'yawl']);
  const [asked, ours] = [cache.upstream.asked.length, snapshot(cache.wheels.root)];
  const unbuilt = async (...more: readonly string[]): Promise<void> => {
    const run = await cache.slipway('run', '--wait', ...more);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing new: 2 here, 2 unanswered') });
    expect(snapshot(cache.wheels.root)).toEqual(ours);
  };
  await unbuilt('--offline');
  cache.door.shut();
  await unbuilt();
  expect(cache.upstream.asked).toHaveLength(asked);
  await cache.door.open();
  expect(await cache.slipway('run', '--wait')).toMatchObject({ code: 0 });
  expect(inOurs(['ketch', 'yawl'])).toEqual(['ketch', 'yawl']);
});
