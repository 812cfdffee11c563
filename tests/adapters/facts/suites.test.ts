/** @slow */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suitesIn } from '../../../src/adapters/checkout/committed.js';
import { plan } from '../../../src/adapters/facts/index.js';
import { withRepository, type Repository } from '../../../src/adapters/git/index.js';
import { NO_RUNS } from '../../support/no-runs.js';
import { aCheckout, git } from '../checkout/a-checkout.js';

const TOX = '[testenv]\ncommands = pytest\n';
const TESTS = { 'hull/tests/test_a.py': '', 'hull/tox.ini': TOX, 'mast/tests/test_a.py': '' };

test('given several folders, then three runs of git find their suites', async () => {
  const folder = await aCheckout(TESTS);
  const asked: string[] = [];
  const found = await withRepository(folder, (repository) =>
    suitesIn(
      {
        ...repository,
        ask: (...args) => (asked.push('ask'), repository.ask(...args)),
        files: (...args) => (asked.push('files'), repository.files(...args)),
      },
      'HEAD:',
      ['hull', 'mast', 'none'],
    ),
  );
  expect(asked).toEqual(['ask', 'files']);
  expect(found).toMatchObject({ hull: [{ run: 'pytest' }], mast: [{ run: 'pytest tests' }], none: [] });
});

test('given tests that are a link or a submodule, then they are no suites', async () => {
  const folder = await aCheckout({ 'hull/pytest.ini': '[pytest]\ntestpaths = tests more\n', 'x/test_a.py': '' });
  symlinkSync('../x', join(folder, 'hull/tests'));
  git(folder, 'add', '--all');
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},hull/more`);
  git(folder, 'commit', '-q', '-m', 'links');
  expect(await withRepository(folder, (one) => suitesIn(one, 'HEAD:', ['hull']))).toEqual({ hull: [] });
});

test.each([
  ['too long an answer', 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', { '': [] }],
  ['a failure', 128, null],
])('given %s of git, then only a tree that is too large has no suites', async (_, code, wanted) => {
  const repository = {
    ask: (...args: readonly string[]) =>
      args.includes('-r') ? Promise.reject(Object.assign(new Error('stopped'), { code })) : Promise.resolve(''),
    files: () => Promise.resolve(new Map()),
  } as unknown as Repository;
  const asked = suitesIn(repository, 'HEAD:', ['']);
  await (wanted === null ? expect(asked).rejects.toThrow('stopped') : expect(asked).resolves.toEqual(wanted));
});

test('given an entry of another repository, then its folder is not sought in the source', async () => {
  const folder = await aCheckout({ ...TESTS, 'x.py': '' });
  const file = (source: string): string => `slipway: 1
release: { name: skiff, version: '1.0' }
source: { git: .., commit: HEAD }
sources: { other: { git: .., commit: HEAD } }
platforms: [linux-x86_64]
pythons: [cp311]
sdists: { skiff: { folder: hull${source} } }
`;
  const noticesOf = async (source: string) => {
    mkdirSync(join(folder, 'release'), { recursive: true });
    writeFileSync(join(folder, 'release/slipway.yaml'), file(source));
    return (await plan(join(folder, 'release/slipway.yaml'), 'local', {}, NO_RUNS)).notices;
  };
  expect(await noticesOf('')).toMatchObject([{ why: 'no line names tests/ (pytest) in hull' }]);
  expect(await noticesOf(', source: other')).toBeUndefined();
});
