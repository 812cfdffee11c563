import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();
/** Ends what a test that ran out of time left running. */
export const endPrograms = (): void => running.forEach((child) => child.kill());

/** The built program as a person runs it, in `cwd`, with this environment and no other. */
export const slipway = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> =>
  slipwayOf(packageRoot(), cwd, args, env);

/** The same from another package root than this one. */
export async function slipwayOf(
  root: string,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Said> {
  const argv = [join(root, 'bin', 'slipway.js'), ...args];
  // `slipway` is on the PATH, so that nothing is said about that.
  const path = { PATH: `${join(root, 'bin')}${delimiter}${env['PATH'] ?? ''}` };
  const child = spawn(process.execPath, argv, { cwd, env: { ...env, ...path }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  return { code, stdout, stderr };
}

/** A folder on a file system of its own, whose size a test may change. Only root may do that. */
export function ownDisk(folder: string, mebibytes: number): OwnDisk {
  const mount = (...args: readonly string[]): void => void execFileSync('mount', args, { stdio: 'ignore' });
  mkdirSync(folder, { recursive: true });
  mount('-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'slipway-test', folder);
  return {
    room: (kibibytes) => {
      const { blocks, bfree, bsize } = statfsSync(folder);
      mount('-o', `remount,size=${Math.ceil(((blocks - bfree) * bsize) / 1024) + kibibytes}k`, folder);
    },
    remove: () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' }),
  };
}

/** False for anybody but root, and for root in most containers. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-mount-'));
  try {
    ownDisk(folder, 1).remove();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
export interface OwnDisk {
  /** Leaves so much beyond what it holds now. */
  room(kibibytes: number): void;
  remove(): void;
}

/** Answers like an index that pip is configured for: one page a project, and its files. */
export async function serveIndex(files: Readonly<Record<string, Uint8Array>>): Promise<Served> {
  const server = createServer((request, response) => {
    const [, first = '', second = ''] = (request.url ?? '').split('/');
    if (first === 'files' && files[second]) return response.end(files[second]);
    const named = Object.keys(files).filter((file) => file.startsWith(`${second}-`));
    response.statusCode = named.length > 0 ? 200 : 404;
    response.setHeader('content-type', 'text/html');
    return response.end(named.map((file) => `<a href="/files/${file}">${file}</a>`).join('\n'));
  });
  return served(server, 0);
}
export interface Served {
  /** TCP port, 0 for a socket. */
  readonly port: number;
  close(): Promise<void>;
}

/** Says of itself that it is a Docker engine, so that `up` starts none and a test can take it away. Nothing runs in it. */
export function serveFakeEngine(socket: string): Promise<Served> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const list = /\/containers\/json|\/images\/json/.test(request.url ?? '');
    response.end(list ? '[]' : JSON.stringify({ Version: '0', ApiVersion: '1.41' }));
  });
  return served(server, socket);
}

async function served(server: Server, at: string | number): Promise<Served> {
  if (typeof at === 'string') server.listen(at);
  else server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
