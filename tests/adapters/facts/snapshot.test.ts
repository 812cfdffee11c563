import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plan } from '../../../src/adapters/facts/index.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-snapshot-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ME = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', '-c', 'commit.gpgsign=false'];
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', [...ME, ...args], { cwd, encoding: 'utf8' }).trim();

const FILE = (folder: string): string => `slipway: 1
release: { name: skiff, version: '1.4.2' }
source: { git: .., commit: main${folder} }
platforms: [linux-x86_64]
jars: { skiff: { properties: { revision: '{version}' } } }
`;
const pom = (version: string): string =>
  `<project>\n  <artifactId>skiff</artifactId>\n  <version>${version}</version>\n</project>\n`;

/** A repository of two commits, of which the second one changes only another folder than java. */
function repository(name: string, folder = ''): string {
  const top = join(root, name);
  mkdirSync(join(top, 'java'), { recursive: true });
  mkdirSync(join(top, 'release'));
  writeFileSync(join(top, 'release', 'slipway.yaml'), FILE(folder));
  for (const at of ['java', '.']) writeFileSync(join(top, at, 'pom.xml'), pom('${revision}'));
  git(top, 'init', '-q', '-b', 'main');
  git(top, 'add', '.');
  git(top, 'commit', '-q', '-m', 'one');
  appendFileSync(join(top, 'release', 'slipway.yaml'), '# two\n');
  git(top, 'commit', '-q', '-a', '-m', 'two');
  return top;
}

const versionOf = async (top: string): Promise<string> =>
  (await plan(join(top, 'release'), 'local', { snapshot: true })).release.version;
const refusal = (top: string): Promise<readonly string[]> =>
  versionOf(top).then(
    () => [],
    (error: SlipwayFailure) => error.problems.map(({ code, place }) => `${code} ${place?.file}:${place?.line}`),
  );

test('given a commit, then its snapshot has the number of all commits before it and its own hash', async () => {
  const top = repository('plain');
  expect(await versionOf(top)).toBe(`1.4.2-snapshot.2.g${git(top, 'rev-parse', 'main').slice(0, 7)}`);
});

test('given tags, then only those in the commit count, and a hostile name is text', async () => {
  const top = repository('tagged');
  const pwned = join(root, 'pwned');
  git(top, 'tag', 'v1.4.2');
  git(top, 'update-ref', 'refs/tags/--all', 'main');
  git(top, 'update-ref', `refs/tags/v1.4.2;$(touch\u00a0${pwned.replaceAll('/', '|')})`, 'main');
  git(top, 'checkout', '-q', '-b', 'other');
  git(top, 'commit', '-q', '--allow-empty', '-m', 'three');
  git(top, 'tag', '-a', '-m', 'elsewhere', 'v1.4.3');
  expect(await versionOf(top)).toMatch(/^1\.4\.3-snapshot\.2\.g/);
  expect(existsSync(pwned)).toBe(false);
});

test('given a source folder, then the newest commit that changed it counts', async () => {
  const top = repository('folder', ', folder: java');
  expect(await versionOf(top)).toBe(`1.4.2-snapshot.1.g${git(top, 'rev-parse', 'main~1').slice(0, 7)}`);
});

test('given a file that fixes the version, then it is read from the commit and not from the checkout', async () => {
  const top = repository('fixed');
  writeFileSync(join(top, 'pom.xml'), pom('1.4.2'));
  expect(await refusal(top)).toEqual([]);
  git(top, 'commit', '-q', '-a', '-m', 'three');
  expect(await refusal(top)).toEqual(['SNAPSHOT_VERSION_FIXED pom.xml:3']);
});

test('given a shallow clone, then a snapshot is refused, and a release is not', async () => {
  repository('whole');
  git(root, 'clone', '-q', '--depth', '1', `file://${join(root, 'whole')}`, 'shallow');
  const top = join(root, 'shallow');
  expect(await refusal(top)).toEqual([`SNAPSHOT_OF_SHALLOW_CLONE ${join(top, 'release', 'slipway.yaml')}:3`]);
  expect((await plan(join(top, 'release'), 'local')).release.version).toBe('1.4.2');
});
