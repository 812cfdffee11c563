/** @slow */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTakeWheel } from '../../../src/activities/wheels/taken/take-wheel.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { plan } from '../../../src/adapters/facts/index.js';
import { createWheelServer } from '../../../src/adapters/wheel-server/wheel-server.js';
import type { Problem } from '../../../src/model/failure.js';
import type { StepOf } from '../../../src/model/plan.js';
import { startWheelHost, type WheelHost } from '../../doubles/wheel-host.js';
import { git } from '../../support/a-line-of-commits.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { newHome, realSurroundings, runBody } from '../../support/run-body.js';

const FILE = `slipway: 1
pipeline: { name: night, label: date }
source: { git: .., commit: wheels/boat }
platforms: [linux-x86_64]
pythons: [cp310, cp311]
wheels:
  boat:
    from: { at: '{wheels}/{branch}/{commit}/', take: main, branches: [main], wait: 2h }
    commit: { file: boat/_version.py, match: 'commit = "(.+)"' }
tests:
  smoke: { in: venv, needs: [wheels/boat], run: python -c 1, expect: fine }
`;
const NIGHT_MS = Date.parse('2026-11-22T01:00:00Z');

let host: WheelHost;
let root: string;
/** Twelve commits of main, the oldest first. */
let commits: readonly string[];
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-night-')));
  mkdirSync(join(root, 'release', 'profiles'), { recursive: true });
  writeFileSync(join(root, 'release', 'slipway.yaml'), FILE);
  git(root, 'init', '-q', '-b', 'main');
  commits = Array.from({ length: 12 }, (_, number) => {
    writeFileSync(join(root, 'number'), String(number));
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', String(number));
    return git(root, 'rev-parse', 'HEAD');
  });
  git(root, 'update-ref', 'refs/remotes/kim/fix', commits[6]!);
});
beforeEach(async () => {
  host = await startWheelHost();
  const address = `wheels: { boat: { address: '${host.address}', forks: '${host.address}/forks/{owner}/{commit}/' } }`;
  writeFileSync(join(root, 'release', 'profiles', 'night.yaml'), `rehearsal: true\n${address}\n`);
});
afterEach(() => host.stop());

/** Serves a wheel that has this commit inside. */
async function serve(folder: string, commit: string, ...pythons: readonly string[]): Promise<void> {
  for (const python of pythons) host.put(`${folder}${wheelName({ python })}`, await aWheel({ python, commit }));
}

/** Plans the night, then takes the wheel of cp311. A wait puts the clock forward, and tells the time of the night in ms. */
async function takenIn(what: string | null, then: (atMs: number) => void | Promise<void> = () => undefined) {
  const made = await plan(join(root, 'release'), 'night', what === null ? {} : { wheels: { boat: what } });
  const step = made.steps.find(
    (one): one is StepOf<'takeWheel'> => one.kind === 'takeWheel' && one.params.python === 'cp311',
  )!;
  let nowMs = NIGHT_MS;
  const wait = async (ms: number): Promise<void> => {
    nowMs += ms;
    await then(nowMs - NIGHT_MS);
  };
  const home = await newHome();
  const ports = {
    archives: createArchives(),
    wheelServer: createWheelServer(),
    layouts: realSurroundings(home).layout,
  };
  const { made: result } = await runBody(createTakeWheel(ports, { now: () => nowMs, wait }), step, {
    home,
    plan: made,
  });
  return { commit: result.facts!['commit'], from: result.facts!['from'], tookS: (nowMs - NIGHT_MS) / 1000, plan: made };
}

const refused = (taking: Promise<unknown>): Promise<Problem> =>
  taking.then(
    () => Promise.reject(new Error('it was taken')),
    (error: { first: Problem }) => error.first,
  );

test('given a wheel that is served 70 s after the night began, then the step waits and takes it at its next ask', async () => {
  const commit = commits[11]!;
  const { tookS, ...taken } = await takenIn(commit, async (atMs) => {
    if (atMs >= 70_000) await serve(`/main/${commit}/`, commit, 'cp311');
  });
  expect(tookS).toBe(90);
  expect(taken).toMatchObject({ commit, plan: { source: { commit } } });
});

test('given a wheel that is never served, then the step ends after its two hours, with the number of Ray', async () => {
  const problem = await refused(takenIn(commits[11]!));
  expect(problem).toMatchObject({ code: 'WHEEL_NOT_THERE', class: 'infra', details: { ray: 30 } });
});

test('given a branch, then the newest of ten commits with both wheels is taken, and its tests are the source', async () => {
  await serve(`/main/${commits[11]}/`, commits[11]!, 'cp310');
  await serve(`/main/${commits[4]}/`, commits[4]!, 'cp310', 'cp311');
  await serve(`/main/${commits[3]}/`, commits[3]!, 'cp310', 'cp311');
  expect(await takenIn(null)).toMatchObject({ commit: commits[4], tookS: 0, plan: { source: { commit: commits[4] } } });
});

test('given a branch whose ten newest commits lack wheels, then planning says so and takes no older one', async () => {
  await serve(`/main/${commits[1]}/`, commits[1]!, 'cp310', 'cp311');
  expect(await refused(takenIn(null))).toMatchObject({ code: 'WHEEL_NONE_YET' });
});

test('given OWNER:BRANCH, then the wheel of the fork is taken', async () => {
  await serve(`/forks/kim/${commits[6]}/`, commits[6]!, 'cp310', 'cp311');
  const { commit, from } = await takenIn('kim:fix');
  expect([commit, from]).toEqual([commits[6], `${host.address}/forks/kim/${commits[6]}/${wheelName()}`]);
});

test('given a wheel with another commit inside, then it is refused', async () => {
  await serve(`/main/${commits[11]}/`, commits[10]!, 'cp310', 'cp311');
  expect(await refused(takenIn(null))).toMatchObject({ code: 'WHEEL_COMMIT_DIFFERS', class: 'config' });
});
