import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { judgedLookup } from '../http/link-local.js';

/** The address of a socket has at most 107 bytes, and PostgreSQL adds `/.s.PGSQL.5432`. */
const LONGEST_FOLDER = 90;

/** Connects. A socket in a folder with a longer path is reached by the descriptor of the folder. */
export async function connect(client: Client): Promise<void> {
  if (!client.host.startsWith('/') || Buffer.byteLength(client.host) <= LONGEST_FOLDER)
    return void (await client.connect());
  await using folder = await open(client.host, constants.O_RDONLY | constants.O_DIRECTORY);
  await Object.assign(client, { host: `/proc/self/fd/${folder.fd}` }).connect();
}

/** A socket that connects to the addresses of a name that it judged. The client connects it by port and host, or by a path. */
export function judgedSocket(whose: string): Socket {
  const socket = new Socket();
  const plain = socket.connect.bind(socket) as (to: object | string) => Socket;
  const connectTo = (to: number | string, host?: string): Socket =>
    plain(typeof to === 'number' ? { port: to, host, lookup: judgedLookup(whose) } : to);
  return Object.assign(socket, { connect: connectTo });
}
