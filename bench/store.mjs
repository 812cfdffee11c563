import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inTurn, timed } from './measure.mjs';
import { atMost, notTaken, ratioAtMost, row } from './rows.mjs';

const GIGABYTE = 2 ** 30;
const ON_S3 = 'a store on S3 and out again, against a plain PUT and GET';

/** Putting 1 GB into each store and getting it back, against what copies and checks it without us. One after the other in
 * turn, so that what else runs on the machine weighs on both. Each in a process of its own, for its memory. */
export async function store({ root, folder, runs: asked }) {
  const runs = asked ?? 3;
  const at = join(folder, 'store');
  mkdirSync(at, { recursive: true });
  const file = join(at, 'gigabyte');
  execFileSync('sh', ['-c', `head -c ${GIGABYTE} /dev/urandom > '${file}'`]);
  try {
    const rows = await ofFolder({ root, at, file, runs });
    const program = join(root, '.tools', 'go', 'bin', 'versitygw');
    if (existsSync(program)) return [...rows, ...(await ofS3({ root, at, file, runs, program }))];
    const why = 'no versitygw here; `npm run s3` builds it';
    return [...rows, notTaken(`1 GB into ${ON_S3}`, 's', why, ratioAtMost(1.2))];
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

async function ofFolder({ root, at, file, runs }) {
  const [out, mine] = [join(at, 'out'), join(at, 'mine')];
  const shell = `cp "$1" "$2/a"; sha256sum "$2/a"; cp "$2/a" "$2/b"; sha256sum "$2/b"`;
  const rounds = await inTurn(runs, {
    ours: async () => {
      mkdirSync(out, { recursive: true });
      const done = await child(root, 'folder', { folder: mine, file, out: join(out, 'x') });
      rmSync(mine, { recursive: true, force: true });
      rmSync(out, { recursive: true, force: true });
      return done;
    },
    plain: async () => {
      mkdirSync(out, { recursive: true });
      const ms = await timed(['sh', '-euc', shell, 'sh', file, out]);
      rmSync(out, { recursive: true, force: true });
      return { ms };
    },
  });
  return rowsOf('a folder and out again, against cp and sha256sum', rounds, 1.3);
}

async function ofS3({ root, at, file, runs, program }) {
  const server = await s3(program, at);
  try {
    const once = (what) => async (run) => {
      const out = join(at, 'out', 'x');
      mkdirSync(join(at, 'out'), { recursive: true });
      const done = await child(root, what, { file, out, endpoint: server.endpoint, key: `${what}${run}` });
      rmSync(join(at, 'out'), { recursive: true, force: true });
      rmSync(join(at, 's3', 'slipway'), { recursive: true, force: true });
      mkdirSync(join(at, 's3', 'slipway'), { recursive: true });
      return done;
    };
    const rounds = await inTurn(runs, { ours: once('s3'), plain: once('plain') });
    return rowsOf(ON_S3, rounds, 1.2);
  } finally {
    server.end();
  }
}

function rowsOf(where, { ours, plain }, wanted) {
  // The fastest round of each: whatever else the machine does only ever adds, and a gigabyte gives it time to.
  const fastest = (rounds) => Math.min(...rounds.map(({ ms }) => ms)) / 1000;
  const most = Math.max(...ours.map(({ mb }) => mb));
  return [
    row(`1 GB into ${where}`, fastest(ours), 's', { reference: fastest(plain), goal: ratioAtMost(wanted) }),
    row(`memory of 1 GB into ${where.split(' and ')[0]}`, most, 'MB', { goal: atMost(150) }),
  ];
}

const child = async (root, what, options) => {
  const argv = [join(root, 'bench', 'store-child.mjs'), root, what, JSON.stringify(options)];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
};

/** A server of its own, as `slipway up --store s3` starts it. */
async function s3(program, at) {
  const port = await freePort();
  mkdirSync(join(at, 's3', 'slipway'), { recursive: true });
  const argv = [
    '--port',
    `127.0.0.1:${port}`,
    '--health',
    '/health',
    '--keep-alive',
    '--quiet',
    'posix',
    join(at, 's3'),
  ];
  const env = { ...process.env, ROOT_ACCESS_KEY: 'bench', ROOT_SECRET_KEY: 'the secret of a bench' };
  const running = spawn(program, argv, { env, stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${endpoint}/health`).catch(() => null))?.ok)
    await new Promise((again) => setTimeout(again, 50));
  return { endpoint, end: () => running.kill() };
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    }),
  );
}
