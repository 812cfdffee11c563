/** @slow */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/pages.js';

/** Shell lines that the fake `node` and `npm` run, by the call as it was typed. Other calls print nothing and exit with 0. */
type Answers = Readonly<Record<string, string>>;

const CORE = 'node tools/start/main.mjs core';
const SYSTEMS = 'node tools/start/main.mjs systems ray s3';
const BUILDS = 'node tools/start/main.mjs tools ray s3';
const RAY = 'npm run ray --silent';
const GREEN: Answers = {
  'node tools/ci/main.mjs': "echo 'ray s3'",
  'node tools/ci/main.mjs --all': "echo 'ray s3'",
  [CORE]: "echo '10 passed, 0 failed, 2 skipped'",
  [SYSTEMS]: "echo '4 passed, 0 failed'",
  [RAY]: "echo '3 passed, 0 failed'",
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-ci-run-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Answers each call with the commands of `answers`, and writes it into `calls`. */
function fake(program: string, answers: Answers): void {
  const cases = Object.entries(answers).map(([call, act]) => `'${call}') ${act} ;;\n`);
  const script = `#!/bin/bash\necho "${program} $*" >>"$CALLS"\ncase "${program} $*" in\n${cases.join('')}esac\n`;
  writeFileSync(join(root, 'bin', program), script);
  chmodSync(join(root, 'bin', program), 0o755);
}

interface Ended {
  readonly status: number | null;
  readonly lines: readonly string[];
  readonly last: string | undefined;
  readonly calls: readonly string[];
}

/** Runs a copy of .ci/run whose `node` and `npm` are fakes. */
function ciRun(answers: Answers, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Ended {
  for (const folder of ['bin', '.slipway/log']) mkdirSync(join(root, folder), { recursive: true });
  cpSync(join(ROOT, '.ci'), join(root, '.ci'), { recursive: true });
  writeFileSync(join(root, '.slipway', 'log', 'devpi.log'), 'devpi said this\n');
  for (const program of ['node', 'npm']) fake(program, { ...GREEN, ...answers });
  const path = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`, CALLS: join(root, 'calls') };
  const argv = ['-c', 'exec .ci/run "$@" 2>&1', 'run', ...args];
  const { status, stdout } = spawnSync('bash', argv, { cwd: root, encoding: 'utf8', env: { ...path, ...env } });
  const lines = stdout.trimEnd().split('\n');
  const calls = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
  return { status, lines, last: lines.at(-1), calls };
}

test('given green parts and releases, then the last line has their sum, the exit status is 0, and no log is shown', () => {
  const { status, last, lines } = ciRun({});
  expect([status, last]).toEqual([0, '19 passed, 0 failed']);
  expect(lines).not.toContain('devpi said this');
});

test('given systems, then their suites run after the suites of the core and after the builds, and the services go down last', () => {
  const { calls } = ciRun({ [CORE]: `${GREEN[CORE]!}; until grep -q "tools ray s3" "$CALLS"; do :; done` });
  const order = ['node tools/ci/main.mjs', 'node tools/start/main.mjs tools', BUILDS, CORE, SYSTEMS, RAY];
  const examples = ['npm start --silent -- examples/jep', 'npm start --silent -- examples/ray'];
  expect([...calls].sort()).toEqual([...order, ...examples, 'npm run --silent down'].sort());
  expect(calls.slice(4)).toEqual([SYSTEMS, RAY, ...examples, 'npm run --silent down']);
});

test('given no system, then nothing is built for one, and the tests are one part', () => {
  const { status, last, calls } = ciRun({ 'node tools/ci/main.mjs': 'echo' });
  expect([status, last]).toEqual([0, '12 passed, 0 failed']);
  expect(calls.filter((call) => /tools .|systems|npm run ray/.test(call))).toEqual([]);
});

test('given only Ray, then no suites of other systems are asked for', () => {
  const { status, last, calls } = ciRun({ 'node tools/ci/main.mjs': 'echo ray' });
  expect([status, last]).toEqual([0, '15 passed, 0 failed']);
  expect(calls).not.toContain('node tools/start/main.mjs systems ray');
});

test('given --all, then the choice is asked with it', () => {
  expect(ciRun({}, ['--all']).calls[0]).toBe('node tools/ci/main.mjs --all');
});

test.each([
  ['a red suite', { [CORE]: "echo '9 passed, 1 failed'; exit 1" }, '18 passed, 1 failed'],
  ['a red suite of a system', { [SYSTEMS]: "echo '3 passed, 1 failed'; exit 1" }, '18 passed, 1 failed'],
  ['a part that ended without its closing line', { [RAY]: 'exit 1' }, '16 passed, 1 failed'],
  ['a part that ended badly after a green line', { [RAY]: `${GREEN[RAY]!}; exit 7` }, '19 passed, 1 failed'],
  ['a release that failed', { 'npm start --silent -- examples/ray': 'exit 1' }, '18 passed, 1 failed'],
  ['a set-up that failed', { 'node tools/start/main.mjs tools': 'exit 1' }, '0 passed, 2 failed'],
  ['an unknown word', { 'node tools/ci/main.mjs': 'exit 2' }, '0 passed, 2 failed'],
])(
  'given %s, then the exit status is 1, the last line counts it, and the logs of the services are shown',
  (_, answers, wanted) => {
    const { status, last, lines } = ciRun(answers);
    expect([status, last]).toEqual([1, wanted]);
    expect(lines).toContain('devpi said this');
  },
);

test('given a build that failed, then its output is shown, and the suites run and skip what they miss', () => {
  const { status, last, lines, calls } = ciRun({ [BUILDS]: "echo 'no such module'; exit 1" });
  expect(lines).toEqual(
    expect.arrayContaining(['  | no such module', 'a build failed: suites that need it are skipped, and say so']),
  );
  expect(calls).toContain(SYSTEMS);
  expect([status, last]).toEqual([0, '19 passed, 0 failed']);
});

test('given a build that hangs, then it is ended at the limit, and that is said', () => {
  const { last, lines } = ciRun({ [BUILDS]: "echo 'linking'; exec sleep 600" }, [], { SLIPWAY_BUILDS_LIMIT_S: '1' });
  expect(lines).toEqual(
    expect.arrayContaining(['  | linking', 'the builds for ray s3 did not end within 1 s, and were ended']),
  );
  expect(last).toBe('19 passed, 0 failed');
});
