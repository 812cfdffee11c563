/** @needs sandbox */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import type { Problem } from '../../../src/model/failure.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import type { StepOf } from '../../../src/model/plan.js';
import { withMoreTime } from '../../support/more-time.js';
import { aResult, aStep, anArtifact, runBody } from '../../support/run-body.js';

const home = mkdtempSync(join(tmpdir(), 'slipway-tests-'));
const programs = createPrograms({ running: join(home, 'running'), graceMs: 500 });
const { runTest, runCommand } = makeBodies(['runTest', 'runCommand'], {
  programs,
  archives: createArchives(),
  containers: null,
});

const aTest = (params: Partial<Params['runTest']>, more: Partial<StepOf<'runTest'>> = {}): StepOf<'runTest'> =>
  aStep(
    'runTest',
    { in: 'host', run: 'true', env: {}, python: null, expect: null, result: null, artifacts: [], ...params },
    { id: 'tests/host', ...more },
  );

describe('a test on the host', () => {
  test('when it starts, then its folder is empty and its environment clean', async () => {
    process.env['LEFTOVER_OF_A_DEVELOPER'] = '1';
    const step = aTest({
      run: 'ls; echo "${LEFTOVER_OF_A_DEVELOPER:-clean}"; test "$PWD" = "$OUT"; echo $WHERE',
      env: { WHERE: '{out}' },
    });
    const { log } = await runBody(runTest, step, { home });
    expect(log.split('\n')[0]).toBe('clean');
    expect(log.split('\n')[1]).toMatch(/\/out$/);
    delete process.env['LEFTOVER_OF_A_DEVELOPER'];
  });

  test('when it ends or fails, then its result and its artifacts are stored', async () => {
    const run = 'mkdir a b; echo 1 > a/x.log; echo 2 > b/x.log; echo "{}" > r.json';
    const { made } = await runBody(runTest, aTest({ run, result: 'r.json', artifacts: ['**/*.log'] }), { home });
    expect(made.artifacts.map(({ name }) => name)).toEqual(['a-x.log', 'b-x.log', 'r.json']);
    const failed = runBody(runTest, aTest({ run: `${run}; exit 9`, result: 'r.json' }), { home });
    await expect(failed).rejects.toMatchObject({
      problems: [{ code: 'TEST_FAILED', details: { exitCode: 9, kept: [{ name: 'r.json' }] } }],
    });
  });

  test('when it reaches its limit, then it is ended', async () => {
    const problem = await withMoreTime(700, async (limitMs) => {
      const slow = runBody(runTest, aTest({ run: 'echo begun; sleep 600' }, { limitMs }), { home });
      const { first } = await slow.then(
        () => ({ first: {} as Problem }),
        (error: { first: Problem }) => error,
      );
      expect(first).toMatchObject({ code: 'TEST_TIMED_OUT', class: 'product' });
      return first.evidence?.length ? first : null;
    });
    expect(problem).toMatchObject({ evidence: ['begun'] });
  });

  test('is ended when the run is cancelled', async () => {
    const stopped = runBody(runTest, aTest({ run: 'sleep 600' }), { home, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ problems: [{ class: 'cancelled' }] });
  });
});

describe('a test with a tree', () => {
  test('when it starts, then its folder holds the named paths of the source, and no package', async () => {
    const step = aTest(
      {
        run: 'find . -type f | sort; echo ok > "$OUT"/r.txt',
        tree: ['tests', 'conftest.py'],
        result: 'r.txt',
      },
      { id: 'tests/tree' },
    );
    const { log, made } = await runBody(runTest, step, { home, inputs: [await aSource()] });
    expect(log).toBe('./conftest.py\n./tests/data/a.txt\n./tests/test_skiff.py\n');
    expect(made.artifacts.map(({ name }) => name)).toEqual(['r.txt']);
  });

  test('given paths that are absent or a link, then each is named and nothing is run', async () => {
    const step = aTest({ run: 'echo ran', tree: ['tests', 'linked', 'absent'] }, { id: 'tests/tree' });
    await expect(runBody(runTest, step, { home, inputs: [await aSource()] })).rejects.toMatchObject({
      problems: [{ code: 'TEST_TREE_ABSENT', message: expect.stringContaining('names linked, absent under') }],
    });
  });
});

/** A source with tests, a package, and a folder that is a link. */
async function aSource(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tree-'));
  for (const path of ['tests/data/a.txt', 'tests/test_skiff.py', 'skiff/__init__.py', 'conftest.py']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  symlinkSync('tests', join(folder, 'linked'));
  const tar = execFileSync('tar', ['-C', folder, '-cf', '-', '.']);
  const source = await anArtifact(home, 'source.tar', tar, { kind: 'source' });
  return aResult({ id: 'source/skiff', kind: 'fetchSource' }, { artifacts: [source] });
}

describe('a test in a venv', () => {
  test('given no wheel, then it is refused', async () => {
    await expect(runBody(runTest, aTest({ in: 'venv', python: 'cp311' }), { home })).rejects.toThrow('NOTHING_TO_TEST');
  });
});

describe('a command step', () => {
  const command = (params: Partial<Params['runCommand']>) =>
    aStep('runCommand', {
      run: 'true',
      env: {},
      folder: '',
      where: { in: 'host' },
      outputs: [],
      expect: null,
      ...params,
    });

  test('when it runs, then it finds its inputs by kind, and its outputs are stored', async () => {
    const wheel = await anArtifact(home, 'skiff-1-py3-none-any.whl', 'PK', { kind: 'wheel' });
    const inputs = [aResult({ id: 'wheels/skiff', kind: 'buildWheel' }, { artifacts: [wheel] })];
    const run =
      'ls wheels; cat "$SLIPWAY_FILES"/a.txt; cp wheels/*.whl "$SLIPWAY_OUT"/; echo "all well"; echo s > sums.txt';
    const step = command({ run, outputs: ['{out}/*.whl', '*.txt'], expect: 'all well' });
    const { made, log } = await runBody(runCommand, step, { home, inputs, files: { 'a.txt': 'a file\n' } });
    expect(log).toBe('skiff-1-py3-none-any.whl\na file\nall well\n');
    expect(made.artifacts.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'file skiff-1-py3-none-any.whl',
      'file sums.txt',
    ]);
  });

  test.each([
    ['fails', { run: 'exit 3' }, 'STEP_COMMAND_FAILED'],
    ['leaves no output', { outputs: ['*.txt'] }, 'OUTPUT_ABSENT'],
    ['does not print the expected line', { run: 'echo no', expect: 'yes' }, 'STEP_EXPECTED_LINE_ABSENT'],
    ['has nothing to run', { run: null }, 'STEP_COMMAND_MISSING'],
  ])('when it %s, then it fails with a code', async (_, params, code) => {
    await expect(runBody(runCommand, command(params), { home })).rejects.toThrow(code);
  });
});
