import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Peer } from '../../../src/adapters/http/request.js';

/** A request as it arrived. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export type Answers = (asked: Asked, answer: ServerResponse) => void;

/** A real server of a test, on loopback. */
export interface OwnServer {
  readonly address: string;
  readonly asked: readonly Asked[];
  /** What it does with each request from now on. */
  answers: Answers;
  /** Connections that are open now. */
  connections(): Promise<number>;
  readonly server: Server;
  stop(): Promise<void>;
}

/** Addresses of servers that run, the oldest first. */
const running: string[] = [];

export async function startServer(answers: Answers = (_, answer) => void answer.end('fine')): Promise<OwnServer> {
  const asked: Asked[] = [];
  const server = createServer((request, answer) => void take(request, answer));
  const take = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    let body = '';
    for await (const piece of request) body += (piece as Buffer).toString();
    const one = { method: request.method!, url: request.url!, headers: request.headers, body };
    asked.push(one);
    own.answers(one, answer);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own: OwnServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ asked, answers, server },
    connections: () => new Promise((done) => server.getConnections((_, count) => done(count))),
    stop: async () => {
      running.splice(running.indexOf(own.address), 1);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  running.push(own.address);
  return own;
}

/** A user who may upload to `shelf`, at the oldest running server. */
export const aPeer = (more: Partial<Peer> = {}): Peer => ({
  target: 'shelf',
  username: 'kim',
  password: 'secret-of-kim',
  origin: running[0] ?? null,
  signal: new AbortController().signal,
  ...more,
});

export const AS_KIM = `Basic ${Buffer.from('kim:secret-of-kim').toString('base64')}`;

/** The problem that a promise fails with. */
export async function problemOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return (error as { first?: unknown } | null)?.first ?? error;
}
