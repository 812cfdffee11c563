/** @needs temporal */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type IndexEntry, indexPaths, SIDECAR, STATEMENT } from '../../src/model/python/index-entry.js';
import { listedIn, newRoot, PLATFORM, snapshot } from '../activities/index/an-index.js';
import { indexWorker } from '../workflows/index-worker.js';
import { sha256 } from '../support/run-body.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { boats, publishInProcess, sharedWheels, wheelsOf } from './index-publisher.js';
import { watchPages } from './index-reader.js';

/** `INDEX_KILLS=50 npx jest tests/drills/index-killed --testTimeout 900000` is the whole drill. */
const KILLS = Number(process.env['INDEX_KILLS'] ?? 6);

test('given publishers that end by SIGKILL before any of their writes, when a reader polls, then no page is ever wrong and all are listed', async () => {
  const root = newRoot();
  const wheels = await wheelsOf(3, KILLS);
  const reader = watchPages(root, boats(3));
  const writes = 11; // file, sidecar, statement, entry; two pages of the project and of the root, the roll-up
  const killed: number[] = [];
  for (const [seed, wheel] of wheels.entries()) {
    const killAt = 1 + ((seed * 7) % writes);
    const { signal } = await reader.during(publishInProcess({ root, wheels: [wheel], killAt }));
    if (signal === 'SIGKILL') killed.push(killAt);
    await reader.during(publishInProcess({ root, wheels: [wheel] }));
  }
  expect(boats(3).flatMap((boat) => listedIn(root, boat))).toHaveLength(KILLS);
  expect(new Set(killed).size).toBeGreaterThanOrEqual(Math.min(4, KILLS - 1));
  expect(reader.polls).toBeGreaterThan(KILLS);
});

describe('given many processes that publish at once, through the one writer', () => {
  let env: TestWorkflowEnvironment;
  let bundle: { code: string };
  beforeAll(async () => {
    [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
  });
  afterAll(() => env.teardown());

  test('when two publish the same wheels, then each is listed once, and what it was built from is whole', async () => {
    const root = newRoot();
    const wheels = await wheelsOf(3, 12);
    const reader = watchPages(root, boats(3));
    await indexWorker(env, bundle, () =>
      reader.during(Promise.all([1, 2].map(() => publishInProcess({ root, wheels, server: env.address })))),
    );
    expect(boats(3).flatMap((boat) => listedIn(root, boat))).toHaveLength(12);
    const entries = readdirSync(join(root, PLATFORM, 'entries'), { recursive: true, withFileTypes: true });
    const read = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of read) {
      const { file, statement, metadata } = JSON.parse(readFileSync(path, 'utf8')) as IndexEntry;
      const at = join(root, indexPaths.file(PLATFORM, file.split('-')[0]!, file));
      const digestOf = (ending: string): string => sha256(readFileSync(`${at}${ending}`, 'utf8'));
      expect([statement, metadata]).toEqual([digestOf(STATEMENT), digestOf(SIDECAR)]);
    }
  });

  test('when a reader polls, then each wheel is listed once; and when they do it again, then no byte changes', async () => {
    const root = newRoot();
    const { projects, parts, count } = await sharedWheels();
    const reader = watchPages(root, projects);
    const publishAll = () =>
      Promise.all(parts.map((wheels) => publishInProcess({ root, wheels, server: env.address })));
    await indexWorker(env, bundle, async () => {
      await reader.during(publishAll());
      const listed = projects.flatMap((project) => listedIn(root, project));
      expect([listed.length, new Set(listed).size]).toEqual([count, count]);
      const before = snapshot(root);
      await publishAll();
      expect(snapshot(root)).toEqual(before);
    });
    expect(readdirSync(join(root, '.tmp'))).toEqual([]);
    expect(readdirSync(join(root, PLATFORM, 'entries'))).toHaveLength(projects.length);
  });
});
