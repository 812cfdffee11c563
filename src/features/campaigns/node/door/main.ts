import '../../../../adapters/tell-uncaught.js';
import { join } from 'node:path';
import pino from 'pino';
import { reveal } from '../../../../activities/step/secrets.js';
import { home } from '../../../../adapters/home.js';
import { createWorkerPolicy } from '../../../../adapters/policy/index.js';
import { createPrograms } from '../../../../adapters/process/programs.js';
import { openConnection } from '../../../../client/open.js';
import { CONTROL } from '../../../../model/ids.js';
import { createReadyFile } from '../../../../workers/ready.js';
import { readHooksFile } from '../hooks-file.js';
import { keepPoll, startComment } from './start-comment.js';
import { openDoor } from './server.js';

/** `node main.js`: the door of a home, and the schedule of its poll. It has no token, no keys of payloads, and reads no comment. */
async function main(): Promise<void> {
  const { env } = process;
  const log = pino({ base: { service: 'hooks', pid: process.pid } });
  const { secret, repository, port = 0, poll } = (await readHooksFile(home()))!;
  // Workers read what is not encrypted. The number of a comment is no secret.
  const { client } = await openConnection({ codecKeys: '' });
  const isPolled = await keepPoll(client, repository, poll);
  if (!isPolled) log.warn('the certificate may not keep the schedule of the poll: an operator makes it');
  const programs = createPrograms({ running: join(home(), 'running') });
  const around = { env, home: home(), policy: createWorkerPolicy(env, home()), programs };
  const asker = { log: { hide: () => undefined }, signal: new AbortController().signal, on: CONTROL };
  const door = secret && {
    ...{ repository, secret: await reveal(around, asker, secret, 'secret') },
    ...{ start: startComment(client), log: (line: object) => log.info(line, 'delivery') },
  };
  const address = door ? `127.0.0.1:${(await openDoor(port, door)).port}` : 'poll';
  const ready = createReadyFile(home(), 'hooks', { address });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      ready.remove();
      process.exit(0);
    });
  // Nothing else keeps a process without a door alive.
  setInterval(() => undefined, 2 ** 31 - 1);
  ready.write();
  log.info({ address }, 'open');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
