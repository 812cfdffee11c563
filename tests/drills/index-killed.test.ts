/** @needs temporal */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { listedIn, newRoot, PLATFORM, snapshot } from '../activities/index/an-index.js';
import { indexWorker } from '../workflows/index-worker.js';
import { aWheel, wheelName } from '../support/a-wheel.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { publishInProcess } from './index-publisher.js';

/** `INDEX_KILLS=50 npx jest tests/drills/index-killed --testTimeout 900000` is the whole drill. */
const KILLS = Number(process.env['INDEX_KILLS'] ?? 6);
/** `INDEX_PROCESSES=20 INDEX_WHEELS=600`: as many publishers as the drill asks for. */
const PROCESSES = Number(process.env['INDEX_PROCESSES'] ?? 3);
const WHEELS = Number(process.env['INDEX_WHEELS'] ?? 30);
const PROJECTS = Math.min(30, WHEELS / 5);

async function wheelsOf(projects: number, all: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-wheels-'));
  const made: string[] = [];
  for (let at = 0; at < all; at += 1) {
    const said = { project: `boat${at % projects}`, version: `1.${Math.floor(at / projects)}`, python: 'py3' };
    const path = join(folder, wheelName(said));
    writeFileSync(path, await aWheel(said));
    made.push(path);
  }
  return made;
}

/** Reads all pages again and again. Throws if one is invalid, names an absent file, or loses a listing. */
function watch(root: string, projects: number) {
  const most = new Map<string, number>();
  let polls = 0;
  const look = (): void => {
    for (let at = 0; at < projects; at += 1) {
      const count = listedIn(root, `boat${at}`).length;
      if (count < (most.get(`boat${at}`) ?? 0)) throw new Error(`boat${at} lost a listing`);
      most.set(`boat${at}`, count);
    }
    polls += 1;
  };
  return {
    get polls() {
      return polls;
    },
    async during<T>(work: Promise<T>): Promise<T> {
      let over = false;
      const done = work.finally(() => (over = true));
      done.catch(() => undefined);
      while (!over) {
        look();
        await setImmediate();
      }
      look();
      return done;
    },
  };
}

test('given publishers that end by SIGKILL before any of their writes, when a reader polls, then no page is ever wrong and all are listed', async () => {
  const root = newRoot();
  const wheels = await wheelsOf(3, KILLS);
  const reader = watch(root, 3);
  const writes = 11; // file, sidecar, statement, entry; two pages of the project and of the root, the roll-up
  const killed: number[] = [];
  for (const [seed, wheel] of wheels.entries()) {
    const killAt = 1 + ((seed * 7) % writes);
    const { signal } = await reader.during(publishInProcess({ root, wheels: [wheel], killAt }));
    if (signal === 'SIGKILL') killed.push(killAt);
    await reader.during(publishInProcess({ root, wheels: [wheel] }));
  }
  expect([0, 1, 2].flatMap((at) => listedIn(root, `boat${at}`))).toHaveLength(KILLS);
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

  test('when a reader polls, then each wheel is listed once; and when they do it again, then no byte changes', async () => {
    const root = newRoot();
    const wheels = await wheelsOf(PROJECTS, WHEELS);
    const reader = watch(root, PROJECTS);
    const parts = Array.from({ length: PROCESSES }, (_, at) => wheels.filter((__, no) => no % PROCESSES === at));
    const publishAll = () =>
      Promise.all(parts.map((part) => publishInProcess({ root, wheels: part, server: env.address })));
    await indexWorker(env, bundle, async () => {
      await reader.during(publishAll());
      const listed = Array.from({ length: PROJECTS }, (_, at) => listedIn(root, `boat${at}`)).flat();
      expect([listed.length, new Set(listed).size]).toEqual([WHEELS, WHEELS]);
      const before = snapshot(root);
      await publishAll();
      expect(snapshot(root)).toEqual(before);
    });
    expect(readdirSync(join(root, '.tmp'))).toEqual([]);
    expect(readdirSync(join(root, PLATFORM, 'entries'))).toHaveLength(PROJECTS);
  });
});
