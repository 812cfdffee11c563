/** @slow */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { records } from '../../../src/model/run-folder.js';
import type { Reporter } from '../../../src/model/tests/reporter.js';
import type { Standings } from '../../../src/model/tests/standing.js';
import { startGithub, type Fault, type GithubDouble } from '../../doubles/github.js';
import { after, CHAIN } from '../../engine/standings/a-night.js';
import { newHome, type RunBody } from '../../support/run-body.js';
import { actionsIn, keepNight, reported } from './a-report.js';

const TOKEN = 'ghp_Canary+yellow/0123456789';

let github: GithubDouble;
beforeEach(async () => {
  github = await startGithub(TOKEN);
});
afterEach(() => github.stop());

const reporter = (more: object = {}): Reporter => ({
  ...{ kind: 'github', address: github.address, repository: github.repository, token: '$TOKEN' },
  ...{ blocker: 'weekly-release-blocker', branch: 'master', ...more },
});
const env = { ...process.env, TOKEN };

async function night(home: string, standings: Standings, more: RunBody = {}) {
  const run = await keepNight(home, standings);
  return reported(home, run, reporter(), { surroundings: { env }, ...more });
}
const failed = (report: Promise<unknown>): Promise<SlipwayFailure> =>
  report.then(
    () => Promise.reject(new Error('it was reported')),
    (error: SlipwayFailure) => error,
  );

/** Standings after each of these letters. */
const nightsOf = (letters: string): readonly Standings[] =>
  [...letters].map((_, at) => after(letters.slice(0, at + 1)));

test('given a test that fails, is jailed and passes, then its issue is opened once, labelled, commented and closed', async () => {
  const home = await newHome();
  const seen: string[] = [];
  for (const standings of nightsOf('PFFFP')) {
    const { made } = await night(home, standings);
    seen.push(
      `${made.facts!['reported'] as number}: ${github.issues.map(({ state, comments }) => `${state} ${comments.length}`).join()}`,
    );
  }
  expect(seen).toEqual(['0: ', '0: ', '1: open 0', '1: open 1', '1: closed 2']);
  const [issue] = github.issues;
  expect(issue!.title).toBe('Release test many_nodes.aws fails');
  expect(issue!.labels).toEqual(
    expect.arrayContaining(['release-test', 'P0', 'core', 'weekly-release-blocker', 'jailed-test']),
  );
  expect(issue!.body).toContain('| run | `run-3` |');
  expect(issue!.comments[0]!.body).toContain('Jailed until');
  expect(issue!.comments[1]!.body).toContain('Passed in night-5 (run run-5)');
  expect(await actionsIn(home)).toMatchObject([
    { test: 't', by: 'reports.github', action: 'issue', issue: { number: 1, open: true } },
  ]);
});

test('given an attempt that was reported, when it runs again, then nothing is written', async () => {
  const home = await newHome();
  await night(home, after('FF'));
  const before = github.asked.length;
  const { made } = await night(home, after('FF'), { attempt: 2 });
  expect(made.facts).toMatchObject({ reported: 0 });
  expect(github.asked.slice(before).filter((one) => !one.startsWith('GET'))).toEqual([]);
  expect(github.issues).toHaveLength(1);
});

describe('given an answer that is lost after GitHub carried the request out', () => {
  test.each([0, 2])('when lists show a new issue %i requests late, then a retry makes no second issue', async (lag) => {
    const home = await newHome();
    github.lag = lag;
    github.faults.push({ of: 'POST /issues', fault: 'lost' });
    const error = await failed(night(home, after('FF')));
    expect(error.first).toMatchObject({ code: 'TARGET_UNREACHABLE', class: 'infra', service: 'target:reports.github' });
    await night(home, after('FF'), { attempt: 2 });
    expect(github.issues).toHaveLength(1);
    expect(github.asked.filter((one) => one === 'POST /issues')).toHaveLength(1);
    expect(await actionsIn(home)).toHaveLength(1);
  });

  test('when the test has passed, then a retry writes no second comment and closes the issue', async () => {
    const home = await newHome();
    await night(home, after('FF'));
    github.faults.push({ of: 'POST /issues/1/comments', fault: 'lost' });
    await failed(night(home, after('FFP')));
    await night(home, after('FFP'), { attempt: 2 });
    expect(github.issues[0]).toMatchObject({
      state: 'closed',
      comments: [{ body: expect.stringContaining('Passed') }],
    });
  });
});

test('given an outage of a whole night, then the next night reports it once', async () => {
  const home = await newHome();
  await night(home, after('P'));
  await night(home, after('PF'));
  github.outage = 100;
  await failed(night(home, after('PFF')));
  expect(github.issues).toEqual([]);
  github.outage = 0;
  await night(home, after('PFFF'));
  expect(github.issues).toMatchObject([{ labels: expect.arrayContaining(['jailed-test']), comments: [{}] }]);
  expect(github.issues[0]!.body).toContain('| run | `run-3` |');
  await night(home, after('PFFFF'));
  expect(github.issues).toHaveLength(1);
});

test('given a run that has not ended, then another run leaves that night to it', async () => {
  const home = await newHome();
  await night(home, after('F'));
  await createDirectoryStore(join(home, 'store')).create(records.standings(CHAIN, 2), after('FF'));
  await night(home, after('FFF'));
  expect(github.issues).toMatchObject([]);
  await reported(home, 'run-2', reporter(), { surroundings: { env } });
  expect(github.issues).toHaveLength(1);
});

test('given an open issue of an earlier failure, then it gets a comment and no second issue is opened', async () => {
  const home = await newHome();
  await night(home, after('FF'));
  await night(home, after('FFP'));
  github.issues[0]!.state = 'open';
  await night(home, after('FFPF'));
  await night(home, after('FFPFF'));
  expect(github.issues).toMatchObject([{ state: 'open', comments: [{}, { body: expect.stringContaining('run-5') }] }]);
});

test('given the issue of a jailed test, when a user closes it, then the next fold learns it once', async () => {
  const home = await newHome();
  for (const standings of nightsOf('FFF')) await night(home, standings);
  const jailed = after('FFFI');
  const told = { ...jailed, tests: { t: { ...jailed.tests['t']!, issue: { number: 1, open: true } } } };
  github.issues[0]!.state = 'closed';
  await night(home, told);
  expect((await actionsIn(home)).at(-1)).toMatchObject({ action: 'issue', issue: { number: 1, open: false } });
  expect(await actionsIn(home)).toHaveLength(2);
});

test('given a short rate limit, then the request waits and continues', async () => {
  const home = await newHome();
  github.faults.push({ of: 'POST /issues', fault: { status: 403, headers: { 'retry-after': '0' } } });
  github.faults.push({ of: 'POST /issues', fault: { status: 429, headers: { 'retry-after': '1' } } });
  const { log } = await night(home, after('FF'));
  expect(log).toContain('issue 1');
  expect(github.issues).toHaveLength(1);
});

test.each<[what: string, of: string, fault: Fault, code: string, kind: string]>([
  ['a long rate limit', 'POST /issues', { status: 403, headers: { 'retry-after': '3600' } }, 'GITHUB_LIMITED', 'infra'],
  [
    'an exhausted rate limit',
    'GET',
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' } },
    'GITHUB_LIMITED',
    'infra',
  ],
  ['a token without rights', 'POST /issues', { status: 403 }, 'GITHUB_DENIED', 'denied'],
  ['an expired token', 'GET', { status: 401 }, 'GITHUB_DENIED', 'denied'],
  ['an issue that GitHub refuses', 'POST /issues', { status: 422 }, 'GITHUB_REFUSED', 'config'],
  ['no repository', 'POST /issues', { status: 404 }, 'GITHUB_REPOSITORY_ABSENT', 'config'],
  ['a server that is broken', 'POST /issues', { status: 502 }, 'TARGET_BROKEN', 'infra'],
])('given %s, then the report fails as that', async (_what, of, fault, code, kind) => {
  const home = await newHome();
  github.faults.push({ of, fault });
  const error = await failed(night(home, after('FF')));
  expect(error.first).toMatchObject({ code, class: kind });
  expect(JSON.stringify(error.problems)).not.toContain(TOKEN);
  await night(home, after('FF'), { attempt: 2 });
  expect(github.issues).toHaveLength(1);
});

test.each([
  ['disabled', 'GITHUB_ISSUES_DISABLED'],
  ['moved', 'GITHUB_REPOSITORY_MOVED'],
] as const)('given a repository that is %s, then the report fails with %s', async (mode, code) => {
  github.mode = mode;
  const error = await failed(night(await newHome(), after('FF')));
  expect(error.first).toMatchObject({ code, class: 'config' });
});

test('given a token that may not set labels, then the report says so and makes no second issue', async () => {
  const home = await newHome();
  github.mode = 'readOnly';
  const error = await failed(night(home, after('FF')));
  expect(error.first).toMatchObject({ code: 'ISSUE_LABEL_DROPPED', class: 'denied' });
  await night(home, after('FF'), { attempt: 2 });
  expect(github.issues).toHaveLength(1);
});

test('given a deleted issue, then later moves of its test are reported without it', async () => {
  const home = await newHome();
  await night(home, after('FF'));
  github.issues[0]!.state = 'deleted';
  const { log } = await night(home, after('FFP'));
  expect(log).toContain('t has no issue: Passed in night-3');
});

describe('given a file that names another repository since an issue was opened', () => {
  /** An issue of the other repository that has the same number. */
  const foreign = (state: 'open' | 'closed', body = 'A mast is loose.') => ({
    ...{ number: 1, title: 'Mast', body, labels: ['release-test'], state, comments: [], hiddenFor: 0 },
  });
  const moveTo = (...issues: GithubDouble['issues']): void => {
    github.repository = 'skiff/other';
    github.issues.splice(0, github.issues.length, ...issues);
  };
  /** Standings that know issue 1. */
  const knowing = (letters: string): Standings => {
    const action = { slipway: 1, test: 't', by: 'reports.github', at: '', action: 'issue' } as const;
    return after(letters, { actions: { 3: [{ ...action, issue: { number: 1, open: true } }] } });
  };

  test('when the test passes, then the issue of the same number is left alone', async () => {
    const home = await newHome();
    await night(home, after('FF'));
    moveTo(foreign('open'));
    const { log } = await night(home, knowing('FFP'));
    expect(log).toContain('t has no issue: Passed in night-3');
    expect(github.issues).toMatchObject([{ state: 'open', comments: [] }]);
  });

  test('when the test is jailed, then the issue there with its mark gets the comment', async () => {
    const home = await newHome();
    await night(home, after('FF'));
    const { body } = github.issues[0]!;
    moveTo({ ...foreign('open', body), pull: true }, { ...foreign('open', body), number: 2 });
    await night(home, knowing('FFF'));
    expect(github.issues).toMatchObject([
      { number: 1, comments: [] },
      { number: 2, comments: [{ body: expect.stringContaining('Jailed until') }] },
    ]);
  });

  test('when the issue of the same number is closed there, then the jail goes on', async () => {
    const home = await newHome();
    for (const standings of nightsOf('FFF')) await night(home, standings);
    moveTo(foreign('closed'));
    await night(home, knowing('FFFI'));
    expect((await actionsIn(home)).at(-1)).toMatchObject({ issue: { number: 1, open: true } });
  });
});

test('given a rehearsal, then nothing leaves the machine, and the step says what it would report', async () => {
  const home = await newHome();
  const run = await keepNight(home, after('FF'));
  const plan = { profile: { name: 'local', rehearsal: true } };
  const { made } = await reported(home, run, reporter({ address: 'https://github.example/api/v3' }), { plan });
  expect(made.note).toBe('rehearsal: would report 1 change to skiff/boat');
});

test('given a token, then no log, record or file of the store holds it', async () => {
  const home = await newHome();
  github.faults.push({ of: 'POST /issues', fault: { status: 422 } });
  await failed(night(home, after('FF')));
  const { log } = await night(home, after('FF'), { attempt: 2 });
  expect(log).toContain('issue 1');
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files.length).toBeGreaterThan(3);
  const holding = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes(TOKEN));
  expect(holding).toEqual([]);
});
