import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/pages.js';

const suite = (needs: string): string => `/** @needs ${needs} */\n`;
const NEEDS = {
  openssl: { doctor: [], programs: ['a-program-that-no-machine-has'] },
  spack: { doctor: [], programs: [], variables: ['A_VARIABLE_THAT_NO_MACHINE_SETS'] },
  git: { doctor: [], programs: [], variables: ['PATH'] },
  hosts: { doctor: [], programs: [], commands: [['true'], ['sh', '-c', 'echo no rights here >&2; exit 1']] },
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-check-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), 0o755);
}

/** Runs a copy of tools/check among these suites. Jest is a fake, which notes its arguments. */
function checked(suites: Readonly<Record<string, string>>, ...args: readonly string[]) {
  for (const path of ['tools/check', 'tools/ci']) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  write('bin/slipway.js', "console.log('[]');");
  write('node_modules/.bin/jest', '#!/bin/sh\necho "$*" >"$(dirname "$0")/typed"\n');
  write('tests/needs.json', JSON.stringify(NEEDS));
  for (const [file, text] of Object.entries(suites)) write(file, text);
  const argv = [join('tools', 'check', 'main.mjs'), ...args];
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' });
  const typed = join(root, 'node_modules', '.bin', 'typed');
  return { status, said: stdout, jest: existsSync(typed) ? readFileSync(typed, 'utf8') : null };
}

test('given suites of a system, then Jest runs them and no others', () => {
  const suites = { 'tests/roles.test.ts': suite('tls-server'), 'tests/other.test.ts': '' };
  expect(checked(suites, 'systems', 'tls-server').jest).toMatch(/--runTestsByPath tests\/roles\.test\.ts\n$/);
});

test('given that no suite of a system can run here, then Jest is not started, because without a path it runs every suite', () => {
  const { status, said, jest } = checked(
    { 'tests/roles.test.ts': suite('tls-server openssl'), 'tests/other.test.ts': '' },
    ...['systems', 'tls-server'],
  );
  expect(jest).toBeNull();
  expect(said).toContain('left out: tests/roles.test.ts: needs openssl: no a-program-that-no-machine-has\n');
  expect([status, said.split('\n').at(-2)]).toEqual([0, '0 passed, 0 failed, 1 skipped']);
});

test('given a suite that needs a variable, then it runs only where the variable is set', () => {
  const { said, jest } = checked(
    { 'tests/real.test.ts': suite('tls-server spack'), 'tests/set.test.ts': suite('tls-server git') },
    ...['systems', 'tls-server'],
  );
  expect(said).toContain('left out: tests/real.test.ts: needs spack: A_VARIABLE_THAT_NO_MACHINE_SETS is not set\n');
  expect(jest).toMatch(/--runTestsByPath tests\/set\.test\.ts\n$/);
});

test('given a suite that needs a right, where the command that asks for it fails, then the suite is left out with its last line', () => {
  const { status, said, jest } = checked({ 'tests/hosts.test.ts': suite('hosts') }, 'systems', 'hosts');
  expect(jest).toBeNull();
  expect(said).toContain('left out: tests/hosts.test.ts: needs hosts: sh fails: no rights here\n');
  expect(status).toBe(0);
});

test('given `npm run spack`, then the suites with a real Spack run and no others', () => {
  const suites = { 'tests/real.test.ts': suite('sandbox spack'), 'tests/other.test.ts': suite('sandbox') };
  expect(checked(suites, 'spack').jest).toMatch(/--runTestsByPath tests\/real\.test\.ts\n$/);
});

test.each([
  ['is not set', '', 'SLIPWAY_SPACK is not set, and these suites run a real Spack'],
  ['names no checkout', '/nowhere', 'SLIPWAY_SPACK names /nowhere, which has no bin/spack'],
])('given `npm run spack` where SLIPWAY_SPACK %s, then it says how to set it', (_, checkout, message) => {
  const env = { ...process.env, SLIPWAY_SPACK: checkout };
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/start/main.mjs'), 'spack'], {
    ...{ env, encoding: 'utf8' },
  });
  expect([status, stderr.split('\n')[0]]).toEqual([2, `SPACK_MISSING: ${message}`]);
  expect(stderr).toContain('Type `SLIPWAY_SPACK=/path/to/spack npm run spack`');
});
