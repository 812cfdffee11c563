import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toolsBin } from '../../src/adapters/home.js';
import { wheelIndex } from '../../src/services/catalog/wheel-index.js';
import { freePort } from './free-port.js';

/** A real server of a test's own on a free port of this machine. */
export interface TestServer {
  readonly address: string;
  stop(): Promise<void>;
}

/** A container registry; its address is `127.0.0.1:port`. */
export async function startRegistry(folder: string): Promise<TestServer> {
  const port = await freePort();
  const config = `version: 0.1
log: { level: error, accesslog: { disabled: true } }
storage: { filesystem: { rootdirectory: ${join(folder, 'data')} } }
http: { addr: 127.0.0.1:${port} }
`;
  const file = await write(folder, 'config.yml', config);
  const server = start('/usr/bin/docker-registry', ['serve', file], folder);
  return answering(server, `127.0.0.1:${port}`, `http://127.0.0.1:${port}/v2/`);
}

/** A write-once Maven repository, as `slipway up` runs it. @param more `writers`: a file of lines `name:{PLAIN}password`, read
 * anew at each request: who may PUT; `mostBytes` of one file */
export async function startMavenRepository(
  folder: string,
  more: { readonly writers?: string; readonly mostBytes?: number } = {},
): Promise<TestServer & { readonly accessLog: () => Promise<string> }> {
  const port = await freePort();
  for (const name of ['www', 'tmp']) await mkdir(join(folder, name), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `user root; daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log ${folder}/access.log;
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/tmp/${kind};`).join(' ')}
  client_max_body_size ${more.mostBytes ?? 0};
  map $uri $mut { default 0; ~maven-metadata\\.xml 1; }
  server {
    listen 127.0.0.1:${port};
    root ${folder}/www;
    autoindex on;
    location / {
      set $no "$request_method$mut";
      if (-f $request_filename) { set $no "\${no}x"; }
      if ($no = "PUT0x") { return 409; }
      set $removes "$request_method$uri";
      if ($removes ~ "(?s)^DELETE.*/$") { return 403; }
      dav_methods PUT DELETE; create_full_put_path on;
      ${more.writers === undefined ? '' : `limit_except GET { auth_basic maven; auth_basic_user_file ${more.writers}; }`}
    }
  }
}
`;
  const file = await write(folder, 'nginx.conf', config);
  const server = start('/usr/sbin/nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], folder);
  const running = await answering(server, `http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/`);
  return { ...running, accessLog: () => readFile(join(folder, 'access.log'), 'utf8') };
}

/** Static indexes below `folder/www`, served as `slipway up` does. */
export async function startWheelIndex(
  folder: string,
): Promise<TestServer & { readonly root: string; readonly accessLog: () => Promise<string> }> {
  const port = await freePort();
  const [root, accessLog] = [join(folder, 'www'), join(folder, 'access.log')];
  for (const name of ['www', 'tmp']) await mkdir(join(folder, name), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `user root; daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  log_format line '$time_iso8601 $request_method $status "$request_uri" "$http_accept" "$http_user_agent"';
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/tmp/${kind};`).join(' ')}
  ${wheelIndex({ port, root, accessLog })}
}
`;
  const file = await write(folder, 'nginx.conf', config);
  const server = start('/usr/sbin/nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], folder);
  const running = await answering(server, `http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/`);
  return { ...running, root, accessLog: () => readFile(accessLog, 'utf8') };
}

export const DEVPI_PASSWORD = 'a-test-password';

/** devpi stretches its own secret at each start: seven seconds of CPU with its defaults. `slipway up` gives the same options. */
const QUICK_KEY = ['--argon2-time-cost', '1', '--argon2-memory-cost', '1024', '--argon2-parallelism', '1'];

/** devpi with a non-volatile index `root/release`; the address is what twine takes. */
export async function startDevpi(folder: string, password = DEVPI_PASSWORD): Promise<TestServer> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const data = join(folder, 'data');
  const init = start(
    join(toolsBin(), 'devpi-init'),
    ['--serverdir', data, '--no-root-pypi', '--root-passwd', password],
    folder,
  );
  await once(init, 'exit');
  const server = start(
    join(toolsBin(), 'devpi-server'),
    ['--serverdir', data, '--host', '127.0.0.1', '--port', String(port), '--threads', '8', ...QUICK_KEY],
    folder,
  );
  const base = `http://127.0.0.1:${port}/`;
  const running = await answering(server, `${base}root/release/`, `${base}+api`);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ user: 'root', password });
  const login = (await (await fetch(`${base}+login`, { method: 'POST', headers, body })).json()) as {
    result: { password: string };
  };
  const auth = Buffer.from(`root:${login.result.password}`).toString('base64');
  const index = JSON.stringify({ type: 'stage', volatile: false, bases: [] });
  const made = await fetch(`${base}root/release`, {
    method: 'PUT',
    headers: { ...headers, 'x-devpi-auth': auth },
    body: index,
  });
  if (!made.ok) throw new Error(`devpi index: HTTP ${made.status}`);
  return running;
}

async function write(folder: string, name: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** In a group of its own, so that a server with workers ends as a whole. */
const start = (program: string, args: readonly string[], cwd: string): ChildProcess =>
  spawn(program, args, { cwd, stdio: 'ignore', detached: true });

async function answering(child: ChildProcess, address: string, url: string): Promise<TestServer> {
  const gone = once(child, 'exit').then(() => true);
  for (;;) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) break;
    if (await Promise.race([gone, pause(50, false)])) throw new Error(`${child.spawnfile} ended before it answered`);
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid!, 'SIGTERM');
    await gone;
  };
  return { address, stop };
}
