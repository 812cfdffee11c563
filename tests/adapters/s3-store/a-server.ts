import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolsBin } from '../../../src/adapters/home.js';
import { createBucket } from '../../../src/adapters/s3-store/index.js';
import { ownServer, type S3Settings } from '../../../src/adapters/s3-store/settings.js';
import { ask } from '../../../src/services/ask.js';
import { s3Program } from '../../../src/services/catalog/s3.js';
import { until } from '../../../src/services/poll.js';
import { freePort } from '../../support/free-port.js';

const program = s3Program(toolsBin());
const KEY = { accessKeyId: 'somebody', secretAccessKey: 'a secret of this test' };

export const hasS3 = existsSync(program);

/** A suite with a server: it runs where the server was built, and its title says how to build it where it was not. */
export const withS3 = (title: string, suite: () => void): void =>
  hasS3 ? describe(title, suite) : describe.skip(`${title} (skipped: no versitygw, \`npm run s3\` builds it)`, suite);

export interface Server {
  readonly settings: S3Settings;
  /** For uploads that wait; and where the server keeps its files. */
  readonly folder: string;
  readonly pid: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** A real server with an empty bucket.
 * @param accounts besides its owner's, each with its key as its secret
 * @param key of its owner */
export async function aServer(accounts: readonly string[] = [], key = KEY): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  for (const part of ['data', 'out', 'iam']) mkdirSync(join(folder, part));
  const account = (access: string) => ({ access, secret: access, role: 'user', userID: 0, groupID: 0, projectID: 0 });
  const users = { accessAccounts: Object.fromEntries(accounts.map((access) => [access, account(access)])) };
  if (accounts.length > 0) writeFileSync(join(folder, 'iam', 'users.json'), JSON.stringify(users));
  const iam = accounts.length > 0 ? ['--iam-dir', join(folder, 'iam')] : [];
  let child: ChildProcess;
  const server: Server = {
    settings: ownServer(endpoint, key),
    folder,
    get pid() {
      return child.pid!;
    },
    start: async () => {
      const place = ['posix', join(folder, 'data')];
      child = spawn(
        program,
        ['--port', `127.0.0.1:${port}`, '--health', '/health', '--keep-alive', '--quiet', ...iam, ...place],
        {
          env: { ROOT_ACCESS_KEY: key.accessKeyId, ROOT_SECRET_KEY: key.secretAccessKey },
          stdio: 'ignore',
        },
      );
      await until(async () => (await ask(endpoint, '/health'))?.status === 200, 60_000);
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await server.start();
  await createBucket(server.settings);
  return server;
}
