import '../../../../adapters/tell-uncaught.js';
import pino from 'pino';
import { home } from '../../../../adapters/home.js';
import { dataConverter } from '../../../../adapters/temporal/codec/data-converter.js';
import { serverSettings } from '../../../../adapters/temporal/settings.js';
import { openConnection } from '../../../../client/connect.js';
import { serviceOf } from '../../../../workers/addresses.js';
import { createReadyFile } from '../../../../workers/ready.js';
import { hooksOf } from '../comments/hooks-of.js';
import { keepPoll } from './keep-poll.js';
import { secretOf } from './secret.js';
import { openDoor } from './server.js';
import { startComment } from './start-comment.js';

/** `node main.js`: the door of a home, and the schedule of its poll. It has no token, no keys of payloads, and reads no comment. */
async function main(): Promise<void> {
  const { env } = process;
  const log = pino({ base: { service: 'hooks', pid: process.pid } });
  const hooks = await hooksOf(home());
  const server = serverSettings(env, serviceOf(home(), 'temporal'));
  // Workers read what is not encrypted. A number of a comment is no secret.
  const { client, connection } = await openConnection({ ...server, dataConverter: await dataConverter({}) });
  await keepPoll(client, hooks);
  const { secret, repository, port = 0 } = hooks;
  const door =
    secret === undefined
      ? null
      : await openDoor(port, {
          ...{ repository, secret: await secretOf(secret, env), start: (input) => startComment(client, input) },
          log: (line) => log.info(line, 'delivery'),
        });
  const address = door === null ? 'poll' : `127.0.0.1:${door.port}`;
  const ready = createReadyFile(home(), 'hooks', { address });
  const end = async (): Promise<void> => {
    ready.remove();
    await door?.close();
    await connection.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
  // Nothing else keeps a process without a door alive.
  setInterval(() => undefined, 2 ** 31 - 1);
  ready.write();
  log.info({ address }, 'open');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
