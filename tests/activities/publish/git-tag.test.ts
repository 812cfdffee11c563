/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Digest } from '../../../src/model/digest.js';
import type { Target } from '../../../src/model/target.js';
import { startGitServer } from '../../support/git-server.js';
import { aResult, aStep, newHome, runBody, type RunBody } from '../../support/run-body.js';
import { aTarget, bodies, codesOf, verify, sealOf } from './release.js';

const WHO = {
  GIT_AUTHOR_NAME: 'kim',
  GIT_AUTHOR_EMAIL: 'kim@x',
  GIT_COMMITTER_NAME: 'kim',
  GIT_COMMITTER_EMAIL: 'kim@x',
};
const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { env: { ...process.env, ...WHO }, encoding: 'utf8' }).trim();

type Door = Pick<Target, 'username' | 'password'>;
const NOBODY: Door = { username: null, password: null };

/** A repository with three commits and its bare upstream. */
function repositories() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-git-'));
  const [upstream, work] = [join(folder, 'upstream.git'), join(folder, 'work')];
  execFileSync('git', ['init', '-q', '--bare', upstream]);
  execFileSync('git', ['init', '-q', '-b', 'main', work]);
  const commits = ['one', 'two', 'three'].map((text) => {
    writeFileSync(join(work, 'file'), text);
    git(work, 'add', '.');
    git(work, 'commit', '-qm', text);
    return git(work, 'rev-parse', 'HEAD');
  });
  git(work, 'remote', 'add', 'origin', upstream);
  git(work, 'push', '-q', 'origin', 'main');
  return { upstream, work, commits };
}

const target = (address: string, commit: string, door = NOBODY) =>
  aTarget({
    ...door,
    name: 'tag',
    kind: 'git-tag',
    address,
    extra: { kind: 'git-tag', tag: 'v1.2.3', message: 'skiff 1.2.3', commit },
  });

async function tagging(home: string, address: string, commit: string, more: RunBody = {}, door = NOBODY) {
  const plan = { source: { kind: 'git' as const, commit, branch: 'main' } };
  const digest: Digest = `sha256:${'a'.repeat(64)}`;
  const artifact = { digest, kind: 'source' as const, name: 'source.tar', size: 1, labels: { commit } };
  const source = aResult({ id: 'source/skiff', kind: 'fetchSource' }, { artifacts: [artifact] });
  const result = await sealOf(home, [source], plan);
  const params = { target: target(address, commit, door), of: [source.step], tags: [] };
  const step = aStep('publishArtifacts', params, { id: 'publish/tag/source.skiff' });
  const steps = [step] as never;
  return runBody(bodies().publishArtifacts, step, {
    ...{ home, inputs: [result, source], plan: { ...plan, steps } },
    ...more,
  });
}
const thrown = async (promise: Promise<unknown>): Promise<readonly string[]> =>
  codesOf(await promise.catch((error: unknown) => error));
const proving = async (address: string, commit: string, door = NOBODY) =>
  runBody(
    bodies().proveTarget,
    aStep('proveTarget', { target: target(address, commit, door), project: 'skiff', version: '1.2.3', tags: [] }),
    { home: await newHome() },
  );

test('given a released commit, newest or not, then it gets an annotated tag', async () => {
  const { upstream, commits } = repositories();
  const home = await newHome();
  const { made, result } = await tagging(home, upstream, commits[1]!);
  expect(made.note).toBe('1 file uploaded');
  expect(git(upstream, 'cat-file', '-t', 'v1.2.3')).toBe('tag');
  expect(git(upstream, 'rev-parse', 'v1.2.3^{commit}')).toBe(commits[1]);
  expect(git(upstream, 'cat-file', 'tag', 'v1.2.3')).toContain('skiff 1.2.3');
  expect(git(upstream, 'rev-parse', 'main')).toBe(commits[2]);
  expect(git(upstream, 'fsck', '--strict')).toBe('');
  expect((await verify(home, { ...target(upstream, commits[1]!) }, result)).made.note).toBe('1 compared');
});

test('given the same release again, then nothing is pushed; two tries make the same tag', async () => {
  const { upstream, commits } = repositories();
  await tagging(await newHome(), upstream, commits[2]!);
  const before = git(upstream, 'rev-parse', 'v1.2.3');
  const { made } = await tagging(await newHome(), upstream, commits[2]!);
  expect(made).toMatchObject({ reused: true, note: '1 file already there' });
  git(upstream, 'tag', '-d', 'v1.2.3');
  await tagging(await newHome(), upstream, commits[2]!);
  expect(git(upstream, 'rev-parse', 'v1.2.3')).toBe(before);
});

test('given a tag on another commit, then it is never moved', async () => {
  const { upstream, work, commits } = repositories();
  git(work, 'tag', '-a', '-m', 'by hand', 'v1.2.3', commits[0]!);
  git(work, 'push', '-q', 'origin', 'v1.2.3');
  expect(await thrown(proving(upstream, commits[2]!))).toEqual(['TAG_ELSEWHERE']);
  expect(await thrown(tagging(await newHome(), upstream, commits[2]!))).toEqual(['OTHER_BYTES']);
  expect(git(upstream, 'rev-parse', 'v1.2.3^{commit}')).toBe(commits[0]);
});

test('given a lightweight tag on the commit, then it is accepted', async () => {
  const { upstream, commits } = repositories();
  git(upstream, 'tag', 'v1.2.3', commits[2]!);
  const { made } = await tagging(await newHome(), upstream, commits[2]!);
  expect(made.note).toBe('1 file already there');
  expect((await proving(upstream, commits[2]!)).made.note).toBe('1.2.3 is free');
});

test('given a proof, then it leaves no tag behind', async () => {
  const { upstream, commits } = repositories();
  await proving(upstream, commits[0]!);
  expect(git(upstream, 'tag')).toBe('');
});

test('given a commit that was never pushed, then it is reported before anything is built', async () => {
  const { upstream, work } = repositories();
  git(work, 'commit', '-q', '--allow-empty', '-m', 'not pushed');
  expect(await thrown(proving(upstream, git(work, 'rev-parse', 'HEAD')))).toEqual(['COMMIT_NOT_THERE']);
});

test('given a repository that refuses the push, then its message is shown', async () => {
  const { upstream, commits } = repositories();
  const hook = join(upstream, 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\necho "tags are frozen" >&2\nexit 1\n', { mode: 0o755 });
  const error = await tagging(await newHome(), upstream, commits[2]!).catch((it: unknown) => it);
  expect(codesOf(error)).toEqual(['TARGET_REFUSED']);
  expect(JSON.stringify(error)).toContain('tags are frozen');
  expect(git(upstream, 'tag')).toBe('');
});

test.each([
  ['a folder that is no repository', '/nowhere/at-all.git', 'TARGET_REFUSED'],
  ['a relative path', '../upstream.git', 'GIT_ADDRESS_RELATIVE'],
  ['an option in disguise', '--upload-pack=touch x', 'GIT_ADDRESS_RELATIVE'],
  ['a program in disguise', 'ext::sh -c touch', 'GIT_ADDRESS_RELATIVE'],
  ['a server that is down', 'http://127.0.0.1:9/x.git', 'TARGET_UNREACHABLE'],
])('given %s, then it is refused with a code', async (_, address, code) => {
  expect(await thrown(proving(address, 'c'.repeat(40)))).toEqual([code]);
});

describe('over http', () => {
  const KIM = { username: 'kim', password: 'a very secret word' };

  test('given a credential, then git receives it and no log shows it', async () => {
    const { upstream, commits } = repositories();
    const server = await startGitServer(dirname(upstream), KIM.username, KIM.password);
    const surroundings = { env: { ...process.env, GIT_WORD: KIM.password } };
    const door = { username: 'kim', password: '$GIT_WORD' };
    const address = `${server.address}upstream.git`;
    const { made, log } = await tagging(await newHome(), address, commits[1]!, { surroundings }, door);
    expect(made.note).toBe('1 file uploaded');
    expect(git(upstream, 'rev-parse', 'v1.2.3^{commit}')).toBe(commits[1]);
    expect(log).not.toContain(KIM.password);
    await server.stop();
  });

  test.each([
    ['a wrong password', { ...KIM, password: 'wrong' }],
    ['no credential', NOBODY],
  ])('given %s, then it is reported before anything is built', async (_, door) => {
    const { upstream, commits } = repositories();
    const server = await startGitServer(dirname(upstream), KIM.username, KIM.password);
    expect(await thrown(proving(`${server.address}upstream.git`, commits[0]!, door))).toEqual(['TARGET_DENIED']);
    await server.stop();
  });
});
