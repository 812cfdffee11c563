/** @long @needs temporal */
import { Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createIndexWriter, indexWorkflowId } from '../../src/adapters/temporal/index-writer.js';
import { LIST, type ListRequest, type WritePages } from '../../src/model/index-writer.js';
import { aFolder, listedIn, PLATFORM, put, wheel } from '../activities/index/an-index.js';
import { until } from '../support/until.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { draw, indexWorker } from './index-worker.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

const serving = <T>(writePages: WritePages, body: () => Promise<T>): Promise<T> =>
  indexWorker(env, bundle, body, writePages);

const request = (root: string, ...projects: readonly string[]): ListRequest => ({
  ...{ plan: root as ListRequest['plan'], step: 'publish/cache', run: 'a-run' },
  names: projects.map((project) => `${PLATFORM}/${project}`),
});
const historyOf = async (address: string) =>
  (await env.client.workflow.getHandle(indexWorkflowId(address)).fetchHistory()).events ?? [];

test('given wheels of many publishers, when they ask at once, then all are listed, and few drawings were needed', async () => {
  const { root, place } = aFolder();
  let drawings = 0;
  const counted: WritePages = async (input) => {
    drawings += 1;
    return draw(input);
  };
  await serving(counted, async () => {
    const writers = Array.from({ length: 4 }, () => createIndexWriter(env.client));
    const publish = async (at: number): Promise<void> => {
      const project = `boat${at % 5}`;
      await put(place, wheel(project, `1.${at}`));
      await writers[at % 4]!.list(root, request(root, project));
      // The answer means that readers see it.
      expect(listedIn(root, project)).toContain(wheel(project, `1.${at}`));
    };
    await Promise.all(Array.from({ length: 40 }, (_, at) => publish(at)));
  });
  expect([0, 1, 2, 3, 4].map((project) => listedIn(root, `boat${project}`).length)).toEqual([8, 8, 8, 8, 8]);
  expect(drawings).toBeLessThan(40);
});

test('given nobody who asks, when the pages are drawn, then the writer ends, and the next request starts it again', async () => {
  const { root, place } = aFolder();
  const writer = createIndexWriter(env.client);
  await serving(draw, async () => {
    for (const version of ['1', '2']) {
      await put(place, wheel('boat', version));
      await writer.list(root, request(root, 'boat'));
      await env.client.workflow.getHandle(indexWorkflowId(root)).result();
    }
  });
  expect(listedIn(root, 'boat')).toHaveLength(2);
});

test('given a request of an unsigned plan among others, when they are drawn, then it alone is refused, with its code', async () => {
  const { root, place } = aFolder();
  await put(place, wheel('boat', '1'));
  const writer = createIndexWriter(env.client);
  await serving(draw, async () => {
    const [good, bad] = await Promise.allSettled([
      writer.list(root, request(root, 'boat')),
      writer.list(root, { ...request(root, 'boat'), plan: 'sha256:forged' }),
    ]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toMatchObject({ reason: { problems: [{ code: 'PLAN_NOT_SIGNED' }] } });
  });
});

test('given payloads that are no requests, when they are sent, then each is refused before it is accepted', async () => {
  const { root, place } = aFolder();
  await put(place, wheel('boat', '1'));
  await serving(draw, async () => {
    const listing = createIndexWriter(env.client).list(root, request(root, 'boat'));
    await until(async () => (await historyOf(root).catch(() => [])).length > 0);
    const handle = env.client.workflow.getHandle(indexWorkflowId(root));
    for (const payload of [null, [], [{}], [{ ...request(root), names: [] }], [request(root, '../x/y')]])
      await expect(handle.executeUpdate(LIST, { args: [payload] })).rejects.toMatchObject({
        cause: { type: 'LIST_REFUSED' },
      });
    await listing;
  });
});

test('given a long history, when it continues as new, then no request is lost', async () => {
  const { root, place } = aFolder();
  await serving(draw, async () => {
    const workflowId = indexWorkflowId(root);
    const started = await env.client.workflow.start('index', {
      workflowId,
      taskQueue: 'control',
      args: [{ continueAfter: 60 }],
    });
    const writer = createIndexWriter(env.client);
    for (let at = 0; at < 12; at += 1) {
      await put(place, wheel('boat', `1.${at}`));
      await writer.list(root, request(root, 'boat'));
    }
    const last = env.client.workflow.getHandle(workflowId);
    await last.result();
    expect((await last.describe()).runId).not.toBe(started.firstExecutionRunId);
  });
  expect(listedIn(root, 'boat')).toHaveLength(12);
});

test('given a worker that ends while it draws, when another comes, then the request is answered', async () => {
  const { root, place } = aFolder();
  await put(place, wheel('boat', '1'));
  let begun = false;
  const hanging: WritePages = async () => {
    begun = true;
    await Context.current().sleep(600_000);
    return { outcomes: [] };
  };
  const listing = createIndexWriter(env.client).list(root, request(root, 'boat'));
  listing.catch(() => undefined);
  await serving(hanging, () => until(async () => begun));
  await serving(draw, () => listing);
  expect(listedIn(root, 'boat')).toHaveLength(1);
});
