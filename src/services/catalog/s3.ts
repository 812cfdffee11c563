import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createBucket } from '../../adapters/s3-store/index.js';
import { ownServer } from '../../adapters/s3-store/settings.js';
import { keyFile, readKey, type StoreKey, writeChoice } from '../../adapters/store/choice.js';
import { fail } from '../../model/failure.js';
import { ask } from '../ask.js';
import { s3ServerMissing } from '../errors.js';
import { writeAtomically } from '../files.js';
import { logFile } from '../folders.js';
import { plain, type Service } from '../service.js';
import { clearSocket, socketOf } from '../engine-folder.js';
import type { Context } from './context.js';

export const s3Program = (toolsBin: string): string => join(toolsBin, '..', 'go', 'bin', 'versitygw');

/** The store as a real S3 server that keeps plain files in a folder. We reach it by a socket: whoever takes its port, which
 * is for other programs, would get what we store. */
export function s3(context: Context): Service {
  const { home, ports, toolsBin } = context;
  const folder = join(home, 's3');
  const program = s3Program(toolsBin);
  const endpoint = `http://127.0.0.1:${ports.s3}`;
  const socket = socketOf(home, 's3');
  return {
    ...plain,
    name: 's3',
    prepare: async () => {
      if (!existsSync(program)) throw fail(s3ServerMissing(program));
      mkdirSync(folder, { recursive: true });
      clearSocket(socket);
      keyOf(home);
    },
    launch: () => ({
      argv: [
        program,
        ...['--port', socket, '--port', `127.0.0.1:${ports.s3}`, '--health', '/health', '--keep-alive', '--quiet'],
        // Stores metadata in extended attributes, which appear together with the file. Side files appear before the
        // data, so that an `If-Match` could replace an unseen object.
        ...['posix', folder],
      ],
      env: { ROOT_ACCESS_KEY: keyOf(home).accessKeyId, ROOT_SECRET_KEY: keyOf(home).secretAccessKey },
    }),
    answers: async () => (await ask(`unix://${socket}`, '/health'))?.status === 200,
    settle: async () => {
      await createBucket({ ...ownServer(endpoint, keyOf(home)), socket });
      writeChoice(home, { kind: 's3', endpoint, socket });
    },
    state: (pid) => ({ pid, address: endpoint, log: logFile(home, 's3') }),
  };
}

/** Returns the key, created once and readable by this user alone. */
function keyOf(home: string): StoreKey {
  const known = readKey(home);
  if (known !== null) return known;
  const made = { accessKeyId: randomBytes(10).toString('hex'), secretAccessKey: randomBytes(32).toString('hex') };
  mkdirSync(join(keyFile(home), '..'), { recursive: true, mode: 0o700 });
  writeAtomically(keyFile(home), `${JSON.stringify(made)}\n`, 0o600);
  return made;
}
