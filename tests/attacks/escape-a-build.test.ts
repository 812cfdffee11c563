/** @needs sandbox */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { findSandbox } from '../../src/adapters/process/sandbox.js';
import type { Params } from '../../src/model/params.js';
import { SlipwayFailure } from '../../src/model/failure.js';
import { aStep, newHome, runBody } from '../support/run-body.js';
import { until } from '../support/until.js';

const CANARY = 'canary-of-a-worker-7c1f';

type Run = { home?: string; params?: Partial<Params['runCommand']> };

/** A step that says `run: LINE`, with a real sandbox. Returns its log. */
async function step(run: string, { home, params = {} }: Run = {}): Promise<string> {
  const own = home ?? (await newHome());
  const programs = createPrograms({ running: join(own, 'running'), graceMs: 500 });
  const { runCommand } = makeBodies(['runCommand'], { programs, archives: createArchives(), containers: null });
  const command = { run, env: {}, folder: '.', where: { in: 'host' }, outputs: [], expect: null, ...params } as const;
  return (await runBody(runCommand, aStep('runCommand', command), { home: own, surroundings: { programs } })).log;
}

test('[C3] when a build reads the environment of every process it sees, then it finds no secret of a worker', async () => {
  const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { INDEX_PASSWORD: CANARY } });
  try {
    await until(() => readFileSync(`/proc/${worker.pid}/environ`, 'utf8').includes(CANARY));
    const log = await step(
      'cat /proc/1/environ /proc/[0-9]*/environ | tr "\\0" "\\n"; echo "pids: $(ls /proc | grep -c "^[0-9]")"',
    );
    expect(log).not.toContain(CANARY);
    expect(Number(/pids: (\d+)/.exec(log)![1])).toBeLessThan(10);
  } finally {
    worker.kill('SIGKILL');
  }
});

test('when a worker inherits open files of its shell, then a build gets standard input, output and error alone', async () => {
  const secret = openSync(__filename, 'r');
  const script = `
    const { createPrograms } = require(${JSON.stringify(join(__dirname, '..', '..', 'dist', 'adapters', 'process', 'programs.js'))});
    const programs = createPrograms({ running: ${JSON.stringify(await newHome())}, graceMs: 500 });
    const cell = { network: false, tmp: '/tmp', folders: [] };
    const run = (more) => programs.run({ argv: 'ls /proc/self/fd', cwd: '/', env: { PATH: '/usr/bin:/bin' }, limitMs: 60000,
      signal: new AbortController().signal, onOutput: (text, stream) => stream === 'stdout' && process.stdout.write(text), ...more });
    run({}).then(() => run({ cell })).then(() => process.exit());`;
  const shell = spawn('sh', ['-c', 'exec "$@"', 'sh', process.execPath, '-e', script], {
    stdio: [
      'ignore',
      'pipe',
      'inherit',
      ...Array.from({ length: 248 }, (_, at) => (at === 247 ? secret : 'ignore')),
    ] as never,
  });
  let said = '';
  shell.stdout!.on('data', (text: Buffer) => (said += text.toString()));
  await once(shell, 'close');
  // The fourth is the list itself.
  expect(said.trim().split('\n')).toEqual(['0', '1', '2', '3', '0', '1', '2', '3']);
});

test('[C3] when a build gives its loader orders, then no program outside of the sandbox obeys', async () => {
  const outside = await newHome();
  const env = { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: join(outside, 'obeyed'), SECOND: 'a "b" $c\n`d`' };
  const log = await step('echo "$LD_DEBUG:$SECOND:${SLIPWAY_CARRIED_0-none}"', { params: { env } });
  expect(log).toContain('files:a "b" $c\n`d`:none\n');
  expect(readdirSync(outside)).toEqual([]);
});

test('[C3] when a build reads private files of the machine and its user, then they are absent', async () => {
  const secret = mkdtempSync(join(homedir(), '.slipway-canary-'));
  writeFileSync(join(secret, 'token'), CANARY);
  try {
    const log = await step(
      `cat ${join(secret, 'token')} /etc/shadow || echo refused; cat /etc/shadow || true; ls ${homedir()} || true`,
    );
    expect(log).toContain('refused');
    expect(log).not.toContain(CANARY);
    expect(log).not.toMatch(/^root:/m);
  } finally {
    rmSync(secret, { recursive: true });
  }
});

test('[C3] when a build leaves a process in its own session, then it ends with the step', async () => {
  const home = await newHome();
  const name = `slipway-left-${process.pid}`;
  await step(`cp /bin/sleep ${name}; setsid ./${name} 3600 >/dev/null 2>&1 </dev/null & sleep 0.2; echo left`, {
    home,
  });
  expect(processesNamed(name)).toEqual([]);
});

const processesNamed = (name: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(name));

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('[C3] when a build writes into the store, a cache, another run and the home, then nothing of it lasts', async () => {
  const home = await newHome();
  const kept = ['store/objects/aa', 'cache/uv/wheel', 'work/other-run/step/work/made.whl', 'running/record.json'];
  for (const path of kept) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), 'sound');
  }
  const targets = [
    ...kept.map((path) => join(home, path)),
    join(homedir(), '.slipway-poison'),
    '/etc/slipway-poison',
    '/usr/slipway-poison',
  ];
  await step(
    targets
      .map((path) => `echo poison > ${path} || mkdir -p "$(dirname ${path})" && echo poison > ${path} || true`)
      .join('\n'),
    { home },
  );
  for (const path of kept) expect(readFileSync(join(home, path), 'utf8')).toBe('sound');
  for (const path of targets.slice(kept.length)) expect(() => readFileSync(path)).toThrow('ENOENT');
});

// A program of root's is root to the files of /proc: kernel settings belong to root.
test('[C3] when a build changes kernel settings, then they are read-only', async () => {
  const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
  const log = await step('echo "|/tmp/own-the-machine" > /proc/sys/kernel/core_pattern || echo refused');
  expect(log).toContain('refused');
  expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
});

/** Python lines with `call(name, …)`, a system call. */
const CALL = `
import ctypes, os, sys
kernel = ctypes.CDLL(None, use_errno=True)
numbers = dict(zip(['add_key', 'request_key', 'keyctl'], ${process.arch === 'arm64' ? '[217, 218, 219]' : '[248, 249, 250]'}))
call = lambda name, *more: kernel.syscall(numbers[name], *more)
`;
/** Puts a key into a new session keyring, as pam_keyinit and Kerberos do, and goes on as another program. */
const LOG_IN = `${CALL}
call('keyctl', 1, None)
call('add_key', b'user', b'ticket', b'${CANARY}', ${CANARY.length}, -3)
os.execvp(sys.argv[1], sys.argv[1:])
`;
const READ_KEY = `${CALL}
text = ctypes.create_string_buffer(64)
call('keyctl', 11, call('request_key', b'user', b'ticket', None, 0), text, 64)
print(text.value.decode())
`;

// No namespace has the session keyring: a program in the sandbox inherits it.
test("[C3] when a build reads the keyring of the worker's session, then the kernel refuses", async () => {
  const sandbox = findSandbox();
  if (typeof sandbox === 'string') throw new Error(sandbox);
  const tmp = await newHome();
  const read = ['python3', '-I', '-c', READ_KEY];
  const loggedIn = (argv: readonly string[]) =>
    spawnSync('python3', ['-I', '-c', LOG_IN, ...argv], { encoding: 'utf8' }).stdout.trim();
  expect(loggedIn(read)).toBe(CANARY);
  expect(loggedIn(sandbox.wrap(read, { cwd: '/', env: {} }, { network: true, tmp, folders: [] }).argv)).toBe('');
});

// No namespace has these sockets either: they reach the host of a virtual machine, and its other machines.
test('[C3] when a build opens a socket to the host of its virtual machine, then the kernel refuses', async () => {
  const line = 'python3 -c "import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)" 2>&1 || true';
  expect(await step(line)).toContain('Address family not supported');
});

describe('[C3] a build opens a socket to a server of this machine', () => {
  let server: Server;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((_, answer) => answer.end(`answer ${(asked += 1)}`));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  });
  afterAll(() => server.close());
  const ask = (): string => {
    const { port } = server.address() as AddressInfo;
    return `python3 -c 'import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:${port}").read())'`;
  };

  test('given no `network:`, then it is refused, and the problem says how to allow it', async () => {
    await expect(step(ask())).rejects.toThrow(SlipwayFailure);
    expect(asked).toBe(0);
  });

  test('given `network: true`, then it is answered', async () => {
    expect(await step(ask(), { params: { network: true } })).toContain('answer 1');
  });

  test('given `network: true`, when it listens to what others send, then it is refused, also in its own namespace', async () => {
    const listen = `python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3); print("heard")'`;
    const log = await step(`${listen} || unshare -Ur ${listen} || echo refused`, { params: { network: true } });
    expect(log).toMatch(/Operation not permitted[^]*\nrefused\n/);
    expect(log).not.toMatch(/^heard$/m);
  });
});
