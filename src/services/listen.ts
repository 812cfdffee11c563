import { createServer, type Server } from 'node:net';
import { fail } from '../model/failure.js';
import { doorPortTaken } from './errors.js';
import { until } from './poll.js';

/** A killed predecessor may hold its port for a moment. */
const LIMIT_MS = 5_000;

/** A listening socket of this machine, for a process in a namespace to inherit. */
export interface Listener {
  readonly fd: number;
  close(): void;
}

/** Opens a listening socket on 127.0.0.1. Throws DOOR_PORT_TAKEN. */
export async function listenFor(port: number, name: string): Promise<Listener> {
  let server: Server | null = null;
  if (!(await until(async () => (server = await listen(port)) !== null, LIMIT_MS)))
    throw fail(doorPortTaken(port, name));
  const opened = server! as Server & { readonly _handle: { readonly fd: number } };
  return { fd: opened._handle.fd, close: () => opened.close() };
}

/** Null if the port is taken. */
const listen = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
