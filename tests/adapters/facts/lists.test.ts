/** @needs tools */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerFromOutside, type OutsideAsk } from '../../../src/adapters/facts/outside-answers.js';
import { noAnswers } from '../../../src/adapters/facts/answers.js';
import { openLists } from '../../../src/adapters/facts/lists/index.js';
import { bindepKey, fileKey } from '../../../src/importers/index.js';
import { startGitServer } from '../../support/git-server.js';

const CANARY = 'canary-2718';
const before = { ...process.env };
let folder: string;
let commits: { readonly master: string; readonly stable: string };
let server: Awaited<ReturnType<typeof startGitServer>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-lists-'));
  process.env['SLIPWAY_HOME'] = join(folder, 'home');
  process.env['HOME'] = folder;
  writeFileSync(join(folder, '.netrc'), `machine 127.0.0.1 login kim password ${CANARY}\n`, { mode: 0o600 });
  commits = requirements(join(folder, 'requirements'));
  execFileSync('git', ['clone', '--quiet', '--bare', join(folder, 'requirements'), join(folder, 'bare.git')]);
  server = await startGitServer(folder, 'kim', CANARY);
});
afterAll(async () => {
  process.env = { ...before };
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** A repository with two branches, whose work tree holds something else. */
function requirements(at: string): typeof commits {
  mkdirSync(at);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', at, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { encoding: 'utf8' }).trim();
  const write = (pins: string): void => writeFileSync(join(at, 'upper-constraints.txt'), pins);
  git('init', '--quiet', '--initial-branch=master');
  write('six===1.16.0\n');
  writeFileSync(join(at, 'bindep.txt'), 'gcc\nlibre2-9 [platform:debian-12]\n');
  git('add', '.');
  git('commit', '--quiet', '--message=first');
  git('branch', 'stable/2025.1');
  write('six===1.17.0\n');
  git('commit', '--quiet', '--all', '--message=second');
  write('not committed\n');
  return { master: git('rev-parse', 'master'), stable: git('rev-parse', 'stable/2025.1') };
}

const spot = { place: { file: 'slipway.yaml', line: 7 }, path: 'wheels.constraints.git' };
const lists = (offline = false) => openLists({ folder: join(folder, 'release'), spot, offline });
const file = (git: string, commit: string, path: string): OutsideAsk & { ask: 'file' } => ({
  ...{ ask: 'file', git, commit, path },
});
const problemOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => null,
    (error: { problems: readonly object[] }) => error.problems[0],
  );
const noIndex = (): never => {
  throw new Error('no index is asked');
};

const PLACES: readonly (readonly [string, () => string])[] = [
  ['a checkout beside the release file', () => '../requirements'],
  ['a bare repository by its file address', () => `file://${folder}/bare.git`],
  ['a repository behind http and a password', () => `${server.address}bare.git`],
];

test.each(PLACES)('given %s, then branches and texts are those of its commits', async (_, place) => {
  const git = place();
  const answers = noAnswers();
  const platform = { id: 'debian', version: '12', codename: 'bookworm' };
  const asks = [
    file(git, commits.master, 'upper-constraints.txt'),
    file(git, commits.stable, 'upper-constraints.txt'),
    file(git, commits.stable, 'absent.txt'),
  ];
  const bindep = { git, commit: commits.stable, path: 'bindep.txt', platform, profiles: ['compile'] };
  const absent = { ...bindep, path: 'other.txt' };
  await answerFromOutside(
    { lists: lists(), indexes: noIndex, ours: async () => ({}), pure: async () => ({}) },
    [{ ask: 'branches', git }, ...asks, { ask: 'bindep', ...bindep }, { ask: 'bindep', ...absent }],
    answers,
  );
  expect(answers.branches).toEqual({ [git]: { master: commits.master, 'stable/2025.1': commits.stable } });
  expect(asks.map((one) => answers.file[fileKey(one)])).toEqual(['six===1.17.0\n', 'six===1.16.0\n', null]);
  expect(answers.bindep).toEqual({
    [bindepKey(bindep)]: { packages: ['gcc', 'libre2-9'], broken: [] },
    [bindepKey(absent)]: null,
  });
});

test('given a clone with a commit of its own, then its branch counts, and of the others those of its origin', async () => {
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', join(folder, 'requirements'), clone]);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
      encoding: 'utf8',
    }).trim();
  git('commit', '--quiet', '--allow-empty', '--message=third');
  const own = git('rev-parse', 'master');
  expect(own).not.toBe(commits.master);
  expect(await lists().branches('../clone')).toEqual({ master: own, 'stable/2025.1': commits.stable });
});

test('given --offline, then a repository that was read before answers, and another is told', async () => {
  const git = `${server.address}bare.git`;
  await lists().branches(git);
  await lists().texts(git, commits.master, ['upper-constraints.txt']);
  const offline = lists(true);
  expect(await offline.branches(git)).toHaveProperty('master', commits.master);
  expect(await offline.texts(git, commits.master, ['upper-constraints.txt'])).toEqual(
    new Map([['upper-constraints.txt', 'six===1.17.0\n']]),
  );
  expect(await problemOf(offline.branches(`${server.address}other.git`))).toMatchObject({
    ...{ code: 'GIT_UNREACHABLE', ...spot },
    evidence: ['it was not read before, and --offline asks nobody'],
    next: 'Plan again without --offline where the repository can be reached.',
  });
});

test('given a server that is off, then that is an outage, told without a password', async () => {
  const off = await startGitServer(folder, 'kim', CANARY);
  await off.stop();
  const problem = await problemOf(lists().branches(`${off.address}bare.git`));
  expect(problem).toMatchObject({ code: 'GIT_UNREACHABLE', class: 'infra', ...spot });
  expect(JSON.stringify(problem)).not.toContain(CANARY);
});

test('given an address with a password, then it is refused, without the password in the message', async () => {
  const address = `${server.address.replace('//', `//kim:${CANARY}@`)}bare.git`;
  const problem = await problemOf(lists().branches(address));
  expect(problem).toMatchObject({ code: 'GIT_ADDRESS_PASSWORD', class: 'config', ...spot });
  expect(JSON.stringify(problem)).not.toContain(CANARY);
});

test('given a folder that is no repository, then that is told with the place of `git`', async () => {
  expect(await problemOf(lists().branches('/'))).toMatchObject({ code: 'LIST_GIT_ABSENT', ...spot });
});
