/** @needs temporal s3 */
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createWritePages } from '../../src/activities/index/write-pages.js';
import { Bucket } from '../../src/adapters/s3-store/bucket.js';
import { openBucketPlace } from '../../src/adapters/static-index/bucket.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { indexPaths } from '../../src/model/python/index-entry.js';
import { PLATFORM, NO_ORDERS } from '../activities/index/an-index.js';
import { aTarget } from '../activities/publish/release.js';
import { aServer, withS3, type Server } from '../adapters/s3-store/a-server.js';
import { aStep } from '../support/run-body.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { indexWorker } from '../workflows/index-worker.js';
import { publishInProcess, sharedWheels } from './index-publisher.js';

const ADDRESS = 's3://slipway/index';

withS3('given many processes that publish into a bucket at once, through the one writer', () => {
  let env: TestWorkflowEnvironment;
  let bundle: { code: string };
  let server: Server;
  let bucket: Bucket;
  beforeAll(async () => {
    [env, bundle, server] = await Promise.all([startTemporal(), bundleWorkflows(), aServer()]);
    bucket = new Bucket({ ...server.settings, prefix: 'index/' });
  });
  afterAll(async () => {
    await env?.teardown();
    await server?.remove();
  });

  const place = () => openBucketPlace('cache', ADDRESS, () => bucket);
  const target = { ...aTarget({ name: 'cache', kind: 'simple', address: ADDRESS }) };
  const step = aStep('publishArtifacts', { target, of: [], tags: [] }, { id: 'publish/cache' });
  const draw = createWritePages({
    planOf: async () => ({ steps: [step as unknown as Step] }) as unknown as Plan,
    connect: async () => ({ ...target, extra: null, staging: null, secrets: {}, version: '1' }),
    targets: { index: place },
    ...NO_ORDERS,
  });

  /** File names on the page of a project. Throws if the page names an absent file. */
  async function listedIn(project: string): Promise<readonly string[]> {
    const page = await place().read(indexPaths.page(PLATFORM, project, 'json'));
    if (page === null) return [];
    const names = (JSON.parse(page.text) as { files: { filename: string }[] }).files.map(({ filename }) => filename);
    const there = await place().list(indexPaths.files(PLATFORM, project));
    const absent = names.filter((name) => !there.includes(indexPaths.file(PLATFORM, project, name)));
    if (absent.length > 0) throw new Error(`the page of ${project} names ${absent.join(', ')}, which is absent`);
    return names;
  }

  async function readDuring(work: Promise<unknown>, projects: readonly string[]): Promise<number> {
    let [over, polls] = [false, 0];
    const done = work.finally(() => (over = true));
    done.catch(() => undefined);
    const most = new Map<string, number>();
    for (; !over; polls += 1) {
      const project = projects[polls % projects.length]!;
      const { length } = await listedIn(project);
      if (length < (most.get(project) ?? 0)) throw new Error(`${project} lost a listing`);
      most.set(project, length);
    }
    await done;
    return polls;
  }

  /** Tag and time of each object. */
  async function objects(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const ask = new ListObjectsV2Command({ Bucket: 'slipway', ...(after !== undefined && { StartAfter: after }) });
      const { Contents = [] } = await bucket.client.send(ask);
      if (Contents.length === 0) return found;
      found.push(...Contents.map(({ Key, ETag, LastModified }) => `${Key} ${ETag} ${LastModified?.toISOString()}`));
      after = Contents.at(-1)!.Key;
    }
  }

  test('when a reader polls, then each wheel is listed once; and when they do it again, then no object changes', async () => {
    const { projects, parts, count } = await sharedWheels();
    const settings = { ...server.settings, prefix: 'index/' };
    const publishAll = () =>
      Promise.all(
        parts.map((wheels) => publishInProcess({ root: ADDRESS, bucket: settings, wheels, server: env.address })),
      );
    await indexWorker(
      env,
      bundle,
      async () => {
        expect(await readDuring(publishAll(), projects)).toBeGreaterThan(0);
        const listed = (await Promise.all(projects.map(listedIn))).flat();
        expect([listed.length, new Set(listed).size]).toEqual([count, count]);
        const before = await objects();
        await publishAll();
        expect(await objects()).toEqual(before);
      },
      draw,
    );
  });
});
