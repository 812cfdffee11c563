import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ClusterFault } from './fault.js';

const ANSWER_MS = 30_000;
const LONGEST_ANSWER_BYTES = 32 * 1024 * 1024;

export interface DashboardAnswer {
  readonly status: number;
  readonly text: string;
}

type Method = 'GET' | 'POST' | 'PUT';

/** Ray's HTTP interface. Throws if it does not answer. */
export interface Dashboard {
  /** @param body a Buffer is sent as it is, another object as JSON */
  ask(method: Method, path: string, body?: object): Promise<DashboardAnswer>;
  /** Passes a long answer on, piece by piece, until it ends. Returns its status; only the body of a 200 is passed on. */
  stream(path: string, signal: AbortSignal, onPiece: (piece: Buffer) => void | Promise<void>): Promise<number>;
}

/** Destination of requests: the header `host`, and the prefix of each path. */
interface Origin {
  readonly host: string;
  readonly prefix: string;
}

/** @param dial opens a connection to it */
export const createDashboard = (
  dial: () => Promise<Socket>,
  origin: Origin = { host: 'ray', prefix: '' },
): Dashboard => ({
  ask: async (method, path, body) => {
    const socket = await dial();
    try {
      return await whole(
        await answerTo(socket, origin, { method, path, signal: AbortSignal.timeout(ANSWER_MS) }, body),
      );
    } finally {
      socket.destroy();
    }
  },
  stream: async (path, signal, onPiece) => {
    const socket = await dial();
    try {
      const answer = await answerTo(socket, origin, { method: 'GET', path, signal });
      if (answer.statusCode === 200) for await (const piece of answer) await onPiece(piece as Buffer);
      return answer.statusCode ?? 0;
    } finally {
      socket.destroy();
    }
  },
});

/** The dashboard at a URL. */
export function createRemoteDashboard(address: string): Dashboard {
  const { protocol, hostname, host, port, pathname } = new URL(address);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = protocol === 'https:';
  const to = { host: name, port: Number(port || (isTls ? 443 : 80)), timeout: ANSWER_MS };
  const dial = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = isTls ? connectTls({ ...to, servername: name }) : connect(to);
      socket.once(isTls ? 'secureConnect' : 'connect', () => resolve(socket.setTimeout(0)));
      socket.once('timeout', () => socket.destroy(new Error(`no connection after ${ANSWER_MS / 1000} s`)));
      socket.once('error', reject);
      // A later error reaches the request.
      socket.on('error', () => undefined);
    });
  return createDashboard(dial, { host, prefix: pathname.replace(/\/+$/, '') });
}

function answerTo(
  socket: Socket,
  { host, prefix }: Origin,
  asked: { readonly method: Method; readonly path: string; readonly signal: AbortSignal },
  body?: object,
): Promise<IncomingMessage> {
  const bytes = body === undefined ? null : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
  const headers = {
    ...{ host, connection: 'close' },
    ...(bytes !== null && { 'content-type': type, 'content-length': bytes.length }),
  };
  const how: RequestOptions = { ...asked, path: `${prefix}${asked.path}`, headers, createConnection: () => socket };
  return new Promise((resolve, reject) => {
    const sent = request(how, resolve);
    sent.on('error', reject);
    sent.end(bytes ?? undefined);
  });
}

async function whole(answer: IncomingMessage): Promise<DashboardAnswer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size > LONGEST_ANSWER_BYTES) throw new ClusterFault(`the answer has more than ${LONGEST_ANSWER_BYTES} bytes`);
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') };
}
