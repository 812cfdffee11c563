/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plan } from '../../../src/adapters/facts/index.js';
import { NO_RUNS } from '../../support/no-runs.js';

const root = mkdtempSync(join(tmpdir(), 'slipway-imports-'));
afterAll(() => rmSync(root, { recursive: true }));

const DEPSETS = `depsets:
  - name: all
    operation: compile
    requirements: [all.in]
    output: locks/all.lock
    append_flags: [--python-version=3.12]
  - name: part
    operation: subset
    source_depset: all
    requirements: [all.in]
    output: locks/part.lock
    append_flags: [--python-version=3.11, --index-strategy unsafe-best-match]
  - name: built
    operation: compile
    requirements: [built.in]
    output: locks/built.lock
    pre_hooks: [ci/build.sh]
`;

/** A repository with these files and a release file, in a folder below the top where one is named. */
function released(files: Readonly<Record<string, string>>, deps: string, below = ''): string {
  const folder = mkdtempSync(join(root, 'case-'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, below, path)), { recursive: true });
    writeFileSync(join(folder, below, path), text);
  }
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'all');
  const source = below === '' ? '{ git: .. }' : `{ git: .., folder: ${below} }`;
  mkdirSync(join(folder, 'release'));
  writeFileSync(
    join(folder, 'release', 'slipway.yaml'),
    `slipway: 1\nrelease: { name: skiff, version: '1.0' }\nsource: ${source}\nplatforms: [linux-x86_64]\npythons: [cp312]\n${deps}`,
  );
  return join(folder, 'release', 'slipway.yaml');
}

const FILES = { 'ci/a.depsets.yaml': DEPSETS, 'all.in': 'six\n' };
const told = async (file: string): Promise<readonly string[]> =>
  plan(file, 'local', {}, NO_RUNS).then(
    () => [],
    (error: { problems: readonly { code: string; place?: { file: string; line?: number } }[] }) =>
      error.problems.map(({ code, place }) => `${code} ${place?.file.split('/').slice(-2).join('/')}:${place?.line}`),
  );

test.each([['an entry', 'deps: { ray: { import: raydepsets, file: ci/a.depsets.yaml, drift: bytes } }\n', '']])(
  'given depsets imported from %s, then they become steps in their own order',
  async (_, deps, below) => {
    const made = await plan(released(FILES, deps, below), 'local', {}, NO_RUNS);
    const locks = made.steps.filter(({ kind }) => kind === 'compileLock');
    expect(locks.map(({ id, needs }) => [id, needs])).toEqual([
      ['deps/all/cp312', ['source/skiff']],
      ['deps/part/cp311', ['deps/all/cp312', 'source/skiff']],
    ]);
    expect(locks[1]!.params).toMatchObject({
      lock: 'locks/part.lock',
      constraints: ['locks/all.lock'],
      exact: true,
      bytes: true,
    });
    expect(made.dropped).toEqual([
      { id: 'deps/built', because: expect.stringContaining('its pre-hook "ci/build.sh" is a script') },
    ]);
  },
);

test('given a mistake in an imported entry, then its place is in the imported file', async () => {
  const text = DEPSETS.replace('--index-strategy unsafe-best-match', '--cache-dir /x');
  expect(
    await told(
      released(
        { ...FILES, 'ci/a.depsets.yaml': text },
        'deps: { ray: { import: raydepsets, file: ci/a.depsets.yaml } }\n',
      ),
    ),
  ).toEqual(['LOCK_OPTION_OWNED ci/a.depsets.yaml:12']);
});

test('given several faulty imports, then all are reported at once, with entry names that are taken', async () => {
  const broken = { ...FILES, 'x/b.depsets.yaml': 'depsets: [{ name: b, operation: merge, output: b }]\n' };
  const deps = `deps:\n  a: { import: raydepsets, file: ci/none.depsets.yaml }\n  b: { import: raydepsets, file: x/b.depsets.yaml }\n`;
  expect((await told(released(broken, deps))).map((one) => one.split(' ')[0])).toEqual([
    'DEPSETS_ABSENT',
    'DEPSETS_UNKNOWN_OPERATION',
  ]);
  const taken = `deps:\n  all: { requires: [six] }\n  ray: { import: raydepsets, file: ci/a.depsets.yaml }\n`;
  expect(await told(released(FILES, taken))).toEqual(['IMPORT_NAME_TAKEN ci/a.depsets.yaml:2']);
});

test('given a source that is not a commit, then the import is refused', async () => {
  const file = released(FILES, 'deps: { ray: { import: raydepsets, file: a } }\n');
  writeFileSync(
    file,
    `slipway: 1\nrelease: { name: skiff, version: '1.0' }\nsource: { sdist: skiff==1.0, sha256: ${'a'.repeat(64)} }\nplatforms: [linux-x86_64]\ndeps: { ray: { import: raydepsets, file: a } }\n`,
  );
  expect(await told(file)).toEqual(['IMPORT_NEEDS_GIT release/slipway.yaml:5']);
});

test.each([
  ['an unknown importer', 'deps: { ray: { import: poetry, file: a } }\n', 'WRONG_VALUE'],
  ['an unknown key', 'deps: { ray: { import: raydepsets, file: a, where: b } }\n', 'UNKNOWN_KEY'],
  ['an import without a name', 'deps: { import: raydepsets, file: a }\n', 'WRONG_VALUE'],
  ['no file', 'deps: { ray: { import: raydepsets } }\n', 'MISSING_KEY'],
])('given %s, then it is reported', async (_, deps, code) =>
  expect((await told(released(FILES, deps)))[0]).toMatch(new RegExp(`^${code} release/slipway.yaml:6`)),
);
