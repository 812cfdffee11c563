import { spawn } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program as a person runs it, in `cwd`, with this environment and no other. */
export async function slipway(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Said> {
  const argv = [join(packageRoot(), 'bin', 'slipway.js'), ...args];
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** A folder on a file system of its own, whose size a test may change; null where this machine forbids that. */
export function ownDisk(folder: string, mebibytes: number): OwnDisk | null {
  const mount = (...args: readonly string[]): void => void execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'slipway-test', folder);
  } catch {
    return null;
  }
  return {
    resize: (kibibytes) => mount('-o', `remount,size=${kibibytes}k`, folder),
    remove: () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' }),
  };
}
export interface OwnDisk {
  resize(kibibytes: number): void;
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
  const address = server.address() as AddressInfo | string;
  return {
    port: typeof address === 'string' ? 0 : address.port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
