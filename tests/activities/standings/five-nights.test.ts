import { join } from 'node:path';
import { createOpenGate } from '../../../src/activities/gates/open-gate.js';
import { createSealManifest } from '../../../src/activities/seal/sealed.js';
import { readChain, readStandings } from '../../../src/activities/standings/chain.js';
import { skeleton } from '../../../src/adapters/facts/index.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { blocks } from '../../../src/engine/standings/news.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import type { Plan, StepOf } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import type { Reporter } from '../../../src/model/tests/reporter.js';
import { toleratedBy } from '../../../src/plan/tolerated.js';
import { startGithub, type GithubDouble } from '../../doubles/github.js';
import { Driven } from '../../engine/drive.js';
import { timeOf } from '../../engine/standings/a-night.js';
import { HEAD, planOf, stepOf } from '../../plan/a-plan.js';
import { aResult, newHome, runBody, RUN } from '../../support/run-body.js';
import { reported } from '../reports/a-report.js';
import { aClusterTest, aNightRan, CHAIN, type Left } from './a-run.js';

const FAILED = { code: 'TEST_FAILED', class: 'product', exit: 7, returnCode: 40 } as const;
const NO_NODES = { code: 'NODES_MISSING', class: 'infra', exit: null, returnCode: 33 } as const;
const MANY_NODES = aClusterTest('many_nodes');

let github: GithubDouble;
beforeEach(async () => {
  github = await startGithub();
});
afterEach(() => github.stop());

const reporter = (): Reporter => ({
  ...{ kind: 'github', address: github.address, repository: github.repository, token: github.token },
  ...{ blocker: 'weekly-release-blocker', branch: CHAIN.branch },
});

/** Runs the night `night-DAY`: outcomes, standings, issues. Returns what a person sees in the morning. */
async function night(home: string, day: number, left: Left): Promise<string> {
  const { made } = await aNightRan({ home, day, left: new Map([[MANY_NODES, left]]) });
  await reported(home, `run-${day}`, reporter());
  const store = createDirectoryStore(join(home, 'store'));
  await store.create(records.status(`run-${day}`), { ended: true });
  const { tests } = (await readStandings(store, CHAIN))!;
  const { state, jail } = tests['many_nodes']!;
  const issues = github.issues.map((one) => `#${one.number} ${one.state}, ${one.comments.length} comments`).join();
  const does = blocks(tests['many_nodes']!, Date.parse(timeOf(day))) ? ', blocks' : '';
  return `${state}${jail === null ? '' : ` by ${jail.owner} until ${jail.until.slice(0, 10)}`}${does} | ${made.note} | ${issues}`;
}

test('given five nights, infrastructure nights and a fix, then state, jail and issue follow each night', async () => {
  const home = await newHome();
  expect(await night(home, 1, [{}])).toBe('passing | 1 test | ');
  expect(await night(home, 2, [FAILED])).toBe('failing | 1 test, 1 newly failing | ');
  expect(await night(home, 3, [FAILED])).toBe('consistently failing, blocks | 1 test, 1 known | #1 open, 0 comments');
  expect(await night(home, 4, [FAILED])).toBe(
    'jailed by core until 2026-11-19 | 1 test, 1 known | #1 open, 1 comments',
  );
  expect(github.issues[0]!.labels).toEqual(
    expect.arrayContaining(['P0', 'release-test', 'core', 'weekly-release-blocker', 'jailed-test']),
  );
  const inJail = 'jailed by core until 2026-11-19 | 1 test';
  expect(await night(home, 5, [FAILED])).toBe(`${inJail}, 1 tolerated | #1 open, 1 comments`);
  expect(await night(home, 6, [NO_NODES])).toBe(`${inJail} | #1 open, 1 comments`);
  expect(await night(home, 7, 'lost')).toBe(`${inJail} | #1 open, 1 comments`);
  expect(await night(home, 18, [FAILED])).toBe('consistently failing, blocks | 1 test, 1 known | #1 open, 2 comments');
  expect(github.issues[0]!.labels).not.toContain('jailed-test');
  expect(await night(home, 19, [NO_NODES])).toBe('consistently failing, blocks | 1 test | #1 open, 2 comments');
  expect(await night(home, 20, [{}])).toBe('passing | 1 test | #1 closed, 3 comments');
  expect(github.asked.filter((one) => one === 'POST /issues')).toHaveLength(1);
  const { last, no } = await readChain(createDirectoryStore(join(home, 'store')), CHAIN);
  expect([no, last!.nights.map(({ label }) => label)]).toEqual([
    10,
    [1, 2, 3, 4, 5, 6, 7, 18, 19, 20].map((day) => `night-${day}`),
  ]);
});

const RELEASE = `${HEAD.replace('name: skiff', 'name: night')}wheels: { night: {} }
clusters: { one: { manager: local } }
tests: { many_nodes: { needs: [wheels/night], cluster: one, run: t, pythons: [cp311] } }
gates: { ship: { for: 1h, tests: passed } }
publish: { index: { kind: python, files: [wheels/night] } }
standings: { branch: master }
`;
const TEST = 'tests/many_nodes/cp311/linux-x86_64';

/** Plays a run in which one step fails. Returns the steps that ended well until the gate waits. */
async function playedUntilGate(plan: Plan, failing: string): Promise<readonly string[]> {
  const driven = new Driven(await skeleton(plan, `sha256:${'0'.repeat(64)}`));
  const [done, asked] = [[] as string[], [...driven.next()]];
  while (asked.length > 0) {
    const [what, id] = asked.shift()!.split(' ') as [string, string?];
    if (what !== 'start' || id === undefined || id.startsWith('gates/')) continue;
    if (id !== failing) done.push(id);
    asked.push(...(id === failing ? driven.failed(id, 'product') : driven.done(id)));
  }
  expect(driven.states()[failing]).toBe('skipped');
  expect(driven.states()['gates/ship']).toBe('running');
  return done;
}

test('given a release with a jailed test, when the test fails, then the run goes on to the gate, and the gate is held', async () => {
  const home = await newHome();
  const store = createDirectoryStore(join(home, 'store'));
  for (const day of [1, 2, 3]) await night(home, day, [FAILED]);
  const standings = await readStandings(store, CHAIN);
  const plan = planOf(RELEASE, { tolerated: toleratedBy(standings, Date.parse(timeOf(4))) });
  const done = await playedUntilGate(plan, TEST);

  const seal = stepOf(plan, 'seal/manifest') as StepOf<'sealManifest'>;
  const inputs = [...seal.needs, ...seal.wants]
    .filter((id) => done.includes(id))
    .map((id) => aResult(stepOf(plan, id)));
  const { result } = await runBody(createSealManifest(), seal, { home, plan, inputs });
  await store.create(records.result(RUN, seal.id), result);
  const opening = createOpenGate({ store, planOf: async () => plan, resolve: (address) => address })({
    ...{ plan: `sha256:${'0'.repeat(64)}`, step: 'gates/ship', run: RUN, workflowId: 'release/night/1.0' },
    sealed: result.facts['manifest'] as `sha256:${string}`,
  });
  const { first } = await opening.then(
    () => Promise.reject(new Error('the gate opened')),
    (error: SlipwayFailure) => error,
  );
  expect(first).toMatchObject({
    code: 'TESTS_LEFT_OUT',
    evidence: [`${TEST}: it failed, which is tolerated: jailed: core until 2026-11-18, issue 1`],
  });
});
