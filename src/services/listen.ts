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

/** Program that listens at the sockets it inherits, and ends before it accepts a connection. This process would accept.
 * Its status names the first socket that cannot listen. A start of Node takes 50 ms of CPU, so one serves all sockets. */
const LISTEN = `const { createServer } = require('node:net');
for (let fd = 3; fd < 3 + Number(process.argv[1]); fd++) createServer().on('error', () => process.exit(fd)).listen({ fd });
process.nextTick(() => process.exit(0));`;

/** A port of 127.0.0.1 and the service whose it is. */
type Named = readonly [port: number, name: string];

/** Opens listening sockets on 127.0.0.1, for a service to inherit. Throws DOOR_PORT_TAKEN. */
export async function listenFor(ports: readonly Named[]): Promise<readonly Socket[]> {
  const opened: Socket[] = [];
  let taken: Named | undefined;
  const open = async (): Promise<boolean> => {
    taken = await firstTaken(ports, opened);
    if (taken !== undefined) for (const socket of opened.splice(0)) socket.close();
    return taken === undefined;
  };
  if (!(await until(open, LEAVE_MS))) throw fail(doorPortTaken(...taken!));
  return opened;
}

/** Fills `opened` up to a port that another socket has. */
async function firstTaken(ports: readonly Named[], opened: Socket[]): Promise<Named | undefined> {
  const { _createServerHandle } = net as unknown as { readonly _createServerHandle: Bind };
  for (const one of ports) {
    const socket = _createServerHandle('127.0.0.1', one[0], 4);
    if (typeof socket === 'number') return one;
    opened.push(socket);
    if (socket.getsockname({}) !== 0) return one;
  }
  const stdio = [...(['ignore', 'ignore', 'ignore'] as const), ...opened.map(({ fd }) => fd)];
  const child = spawn(process.execPath, ['-e', LISTEN, String(ports.length)], { env: {}, stdio });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? undefined : (ports[(code ?? 0) - 3] ?? ports[0]);
}

/** Listening sockets of a service with nginx. They stay open as long as this process, so that nobody else gets a port
 * while the service restarts; connections wait meanwhile. */
export function heldPorts(ports: readonly Named[]) {
  let held: readonly Socket[] | null = null;
  return {
    open: async (): Promise<void> => {
      held ??= await listenFor(ports);
    },
    /** nginx finds among the descriptors of NGINX the one of each address at which it listens. */
    launch: () => ({ env: { NGINX: ports.map((_, at) => `${at + 3};`).join('') }, sockets: held!.map(({ fd }) => fd) }),
  };
}
