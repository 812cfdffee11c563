import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import { assertNotLinkLocal, judgedLookup } from '../http/link-local.js';
import { ClusterFault } from './fault.js';

/** `answerMs` limits a request with its answer, `silenceMs` the time in which an upload makes no progress. A slow line empties the
 * kernel's own buffer of several megabytes unseen. */
const LIMITS = { answerMs: 30_000, silenceMs: 120_000 };
const LONGEST_ANSWER_BYTES = 32 * 1024 * 1024;

export interface DashboardAnswer {
  readonly status: number;
  readonly text: string;
}

type Method = 'GET' | 'POST';

/** Ray's HTTP interface. Throws if it does not answer. */
export interface Dashboard {
  /** @param body sent as JSON */
  ask(method: Method, path: string, body?: object): Promise<DashboardAnswer>;
  /** Sends a file with PUT. It may take as long as it makes progress. */
  upload(path: string, file: string, signal: AbortSignal): Promise<DashboardAnswer>;
  /** Passes a long answer on, piece by piece, until it ends. Returns its status; only the body of a 200 is passed on. */
  stream(path: string, signal: AbortSignal, onPiece: (piece: Buffer) => void | Promise<void>): Promise<number>;
}

/** Destination of requests: the header `host`, and the prefix of each path. */
interface Origin {
  readonly host: string;
  readonly prefix: string;
}

interface Asked {
  readonly method: Method | 'PUT';
  readonly path: string;
  readonly signal: AbortSignal;
  readonly headers?: OutgoingHttpHeaders;
}

/** @param dial opens a connection to it */
export const createDashboard = (
  dial: () => Promise<Socket>,
  origin: Origin = { host: 'ray', prefix: '' },
  limits = LIMITS,
): Dashboard => ({
  ask: (method, path, body) =>
    dialled(dial, async (socket) => {
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const headers = bytes === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
      const signal = AbortSignal.timeout(limits.answerMs);
      return whole(await answerTo(socket, origin, { method, path, signal, headers }, (sent) => sent.end(bytes)));
    }),
  upload: (path, file, signal) =>
    dialled(dial, async (socket) => {
      const silent = new ClusterFault(`it took nothing for ${limits.silenceMs / 1000} s`);
      socket.setTimeout(limits.silenceMs, () => socket.destroy(silent));
      const headers = { 'content-type': 'application/octet-stream', 'content-length': (await stat(file)).size };
      // A broken connection fails the request, too.
      const send = (sent: ClientRequest): void => void pipeline(createReadStream(file), sent).catch(() => undefined);
      return whole(await answerTo(socket, origin, { method: 'PUT', path, signal, headers }, send));
    }),
  stream: (path, signal, onPiece) =>
    dialled(dial, async (socket) => {
      const answer = await answerTo(socket, origin, { method: 'GET', path, signal }, (sent) => sent.end());
      if (answer.statusCode === 200) for await (const piece of answer) await onPiece(piece as Buffer);
      return answer.statusCode ?? 0;
    }),
});

async function dialled<T>(dial: () => Promise<Socket>, use: (socket: Socket) => Promise<T>): Promise<T> {
  const socket = await dial();
  try {
    return await use(socket);
  } finally {
    socket.destroy();
  }
}

/** The dashboard at a URL. */
export function createRemoteDashboard(address: string, limits = LIMITS): Dashboard {
  const { protocol, hostname, host, port, pathname } = new URL(address);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = protocol === 'https:';
  const to = {
    host: name,
    port: Number(port || (isTls ? 443 : 80)),
    timeout: limits.answerMs,
    lookup: judgedLookup('a cluster'),
  };
  const dial = async (): Promise<Socket> => {
    await assertNotLinkLocal('a cluster', address);
    return new Promise((resolve, reject) => {
      const socket = isTls ? connectTls({ ...to, servername: name }) : connect(to);
      const late = (): void => void socket.destroy(new Error(`no connection after ${limits.answerMs / 1000} s`));
      socket.once('timeout', late);
      socket.once(isTls ? 'secureConnect' : 'connect', () => resolve(socket.setTimeout(0).off('timeout', late)));
      socket.once('error', reject);
      // A later error reaches the request.
      socket.on('error', () => undefined);
    });
  };
  return createDashboard(dial, { host, prefix: pathname.replace(/\/+$/, '') }, limits);
}

/** @param send writes the body and ends the request */
function answerTo(
  socket: Socket,
  { host, prefix }: Origin,
  asked: Asked,
  send: (sent: ClientRequest) => void,
): Promise<IncomingMessage> {
  const headers = { host, connection: 'close', ...asked.headers };
  const how = { ...asked, path: `${prefix}${asked.path}`, headers, createConnection: () => socket };
  return new Promise((resolve, reject) => {
    send(request(how, resolve).on('error', reject));
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
