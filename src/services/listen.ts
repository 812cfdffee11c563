import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as net from 'node:net';
import { fail } from '../model/failure.js';
import { doorPortTaken } from './errors.js';
import { LEAVE_MS } from './free-ports.js';
import { until } from './poll.js';

/** A socket that this process never reads. Node's cluster opens the sockets of its workers by the same call. */
interface Socket {
  readonly fd: number;
  /** Returns an error number if the port is taken, which `bind` does not tell. */
  getsockname(into: object): number;
  close(): void;
}
type Bind = (address: string, port: number, family: 4) => Socket | number;

/** Program that listens at the socket it inherits, and ends before it accepts a connection. This process would accept. */
const LISTEN = "require('node:net').createServer().listen({ fd: 3 }, () => process.exit(0))";

/** Opens a listening socket on 127.0.0.1, for a service to inherit. Throws DOOR_PORT_TAKEN. */
export async function listenFor(port: number, name: string): Promise<Socket> {
  let socket: Socket | null = null;
  await until(async () => (socket = await open(port)) !== null, LEAVE_MS);
  if (socket === null) throw fail(doorPortTaken(port, name));
  return socket;
}

/** Null if the port is taken. */
async function open(port: number): Promise<Socket | null> {
  const socket = (net as unknown as { readonly _createServerHandle: Bind })._createServerHandle('127.0.0.1', port, 4);
  if (typeof socket === 'number') return null;
  if (socket.getsockname({}) === 0 && (await listens(socket.fd))) return socket;
  socket.close();
  return null;
}

/** False if another socket at the port came first. */
async function listens(fd: number): Promise<boolean> {
  const child = spawn(process.execPath, ['-e', LISTEN], { env: {}, stdio: ['ignore', 'ignore', 'ignore', fd] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Listening sockets of a service with nginx. They stay open as long as this process, so that nobody else gets a port
 * while the service restarts; connections wait meanwhile. */
export function heldPorts(ports: readonly (readonly [port: number, name: string])[]) {
  const held = new Map<number, Socket>();
  return {
    open: async (): Promise<void> => {
      const absent = ports.filter(([port]) => !held.has(port));
      await Promise.all(absent.map(async ([port, name]) => held.set(port, await listenFor(port, name))));
    },
    /** nginx finds among the descriptors of NGINX the one of each address at which it listens. */
    launch: () => ({
      env: { NGINX: ports.map((_, at) => `${at + 3};`).join('') },
      sockets: [...held.values()].map(({ fd }) => fd),
    }),
  };
}
