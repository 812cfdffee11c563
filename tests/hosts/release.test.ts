/** @long @needs hosts */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../support/pages.js';

const servers = ['temporal-server', 'temporal-sql-tool', 'versitygw'].map((name) => join(ROOT, '.tools/go/bin', name));
const withHosts = (title: string, suite: () => void): void =>
  servers.every((server) => existsSync(server))
    ? describe(title, suite)
    : describe.skip(`${title} (no servers: \`npm run hosts\` builds them)`, suite);

/** Below the limit of Jest, which would leave the network behind. */
const LIMIT_MS = 10 * 60_000;
let child: ChildProcess | undefined;
let closed: Promise<unknown>;
/** Short, since sockets are below it. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sh-'));
  chmodSync(folder, 0o711);
});
afterAll(async () => {
  if (child?.kill()) await closed;
  rmSync(folder, { recursive: true, force: true });
});

async function released(...args: readonly string[]) {
  const argv = [join(ROOT, 'tools', 'hosts', 'main.mjs'), 'tests/hosts/dinghy', ...args];
  const env = { ...process.env, TMPDIR: folder };
  const one = spawn(process.execPath, argv, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
  child = one;
  closed = once(one, 'close');
  const [shown, said] = await Promise.all([text(one.stdout), text(one.stderr), closed]);
  return { status: one.exitCode, shown, said };
}

/** Lines of a part of the output, from its heading to the next empty line. */
const part = (shown: string, heading: string): readonly string[] =>
  (new RegExp(`^${heading}\\n((?:.+\\n)+)`, 'm').exec(`${shown}\n`)?.[1] ?? '').trimEnd().split('\n');

/** Processes of any user whose command line or environment names the folder. */
const processesOf = (path: string): readonly string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => readIfThere(join('/proc', pid, file)).includes(path)));

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

withHosts('three hosts', () => {
  test('given a link that is down while its builder has a step, then the release ends, each file is published once, and nothing is left', async () => {
    const { status, shown, said } = await released('--fault', 'build-x86:link:15');
    expect({ status, said }).toEqual({
      status: 0,
      said: expect.stringMatching(/fault build-x86:link began, for 15 s\n(.*\n)*fault build-x86:link ended\n/),
    });
    const makers = part(shown, 'Who made what').map((line) => line.trim().split(/ +/)[0]);
    expect(makers).toEqual(expect.arrayContaining(['control@control', 'linux-x86_64@build-arm']));
    expect(part(shown, 'Begun again').join('\n')).toMatch(/^ +\S+ +attempt 2: .* gone at /);
    const published = part(shown, 'index, profile local').map((line) => line.trim().split(/ +/).slice(0, 2));
    expect(published).toEqual([
      ['done', 'dinghy-1.0.0-py3-none-any.whl'],
      ['done', 'dinghy_oars-1.0.0-py3-none-any.whl'],
    ]);
    expect(part(shown, 'Uploads')[0]).toBe('  index     2 accepted, 0 refused');
    expect(processesOf(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(folder);
    const left = spawnSync('sh', ['-c', 'ip netns list; ip -br link'], { encoding: 'utf8' }).stdout;
    expect(left).not.toMatch(/slipway|slw-/);
  });
});
