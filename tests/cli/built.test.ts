/** @slow */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const PROJECT = join(ROOT, 'examples', 'strangers', 'levenshtein');
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
});
afterAll(() => rmSync(home, { recursive: true }));

/** The built program as a person runs it, with a home of its own where nothing is up. */
function slipway(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin', 'slipway.js'), ...args], {
    cwd: home,
    encoding: 'utf8',
    env: { PATH, SLIPWAY_HOME: home, ...env },
  });
  return { status, stdout, stderr };
}

test('given --help, then it names every command and loads no heavy package', () => {
  const script = `
    process.on('exit', () => {
      const heavy = /node_modules.(@temporalio|zod|yaml|dockerode|pino|protobufjs)./;
      console.error('HEAVY ' + Object.keys(require.cache).filter((file) => heavy.test(file)).length);
    });
    process.argv = [process.execPath, 'slipway', '--help'];
    require(${JSON.stringify(join(ROOT, 'dist', 'cli', 'main.js'))});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'HEAVY 0\n' });
  for (const name of ['run', 'watch', 'status', 'artifacts', 'cancel', 'up', 'down', 'doctor'])
    expect(stdout).toMatch(new RegExp(`^  ${name}`, 'm'));
});

test.each([
  ['an unknown command', ['wotch'], 2, /unknown command 'wotch'\n\(Did you mean watch\?\)\nType `slipway --help`/],
  ['an unknown option', ['run', '--wat'], 2, /unknown option '--wat'/],
  ['no server', ['run'], 1, /^ {2}SERVICES_DOWN \(infra\) .*\n {2}next: Type `slipway up`/],
  ['no run', ['status'], 1, /^ {2}NO_RUNS /],
  ['no run to explain', ['why', 'wheels'], 1, /^ {2}NO_RUNS /],
  ['no fleet', ['simulate', PROJECT], 2, /^ {2}FLEET_MISSING .*\n {2}next: Add --fleet/],
  [
    'a fleet of zero workers',
    ['simulate', PROJECT, '--workers', '0'],
    2,
    /^ {2}FLEET_LACKS_QUEUE .* no worker of control, and \d+ steps .*\n {2}next: .*\n {2}FLEET_LACKS_QUEUE .* linux-x86_64/,
  ],
  ['an invalid fleet file', ['simulate', PROJECT, '--fleet', join(PROJECT, 'nope.yaml')], 2, /^ {2}FLEET_FILE_ABSENT /],
])('given %s, then it prints the problem and what to type, without a stack trace', (_, args, code, text) => {
  const { status, stdout, stderr } = slipway(args);
  expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  expect(stderr).toMatch(text);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('given a reader that closes the pipe early, then there is no error', () => {
  const line = `"${process.execPath}" "${join(ROOT, 'bin', 'slipway.js')}" --help | head -n 1`;
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe('Usage: slipway [options] [command]\n');
});
