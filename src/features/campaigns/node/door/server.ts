import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../../model/check.js';
import { type CommentInput, mayAsk } from '../../pure/comments/messages.js';

const MOST_BYTES = 1024 * 1024;
/** Bytes of all bodies that are read at once. */
const MOST_TOGETHER = 64 * MOST_BYTES;
const MOST_CONNECTIONS = 2_000;
/** Limits of time in milliseconds. GitHub waits ten seconds for an answer. */
const LIMITS = { wholeMs: 10_000, idleMs: 5_000, looksMs: 1_000 };

export interface DoorPorts {
  readonly repository: string;
  readonly secret: string;
  /** Starts the workflow of a comment, unless it was started before. */
  readonly start: (input: CommentInput) => Promise<void>;
  /** Called for each request. It gets no secret and no text of a body. */
  readonly log: (line: { readonly delivery: string; readonly status: number; readonly why: string }) => void;
}

/** Takes deliveries of GitHub's webhook on 127.0.0.1. A comment whose signature is right starts a workflow. */
export async function openDoor(port: number, ports: DoorPorts, limits: Partial<typeof LIMITS> = {}) {
  const { wholeMs, idleMs, looksMs } = { ...LIMITS, ...limits };
  const bodies = new Set<Body>();
  const server = createServer({ connectionsCheckingInterval: looksMs }, (request, response) => {
    void answerTo(request, bodies, ports)
      .catch((): HttpAnswer => [503, 'the server of workflows does not answer'])
      .then(([status, why]) => {
        const delivery = headerOf(request.headers, 'x-github-delivery')
          .replace(/[^\w-]/g, '')
          .slice(0, 64);
        ports.log({ delivery, status, why });
        const isRead = request.complete;
        response.writeHead(status, { 'content-type': 'text/plain', ...(!isRead && { connection: 'close' }) });
        // A request that was given up has no connection any more.
        response.end(`${why}\n`, () => isRead || response.socket?.destroySoon());
      });
  });
  Object.assign(server, { requestTimeout: wholeMs, headersTimeout: idleMs, keepAliveTimeout: idleMs, timeout: idleMs });
  server.maxConnections = MOST_CONNECTIONS;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.close().closeAllConnections();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, close };
}

type HttpAnswer = readonly [status: number, why: string];

async function answerTo(request: IncomingMessage, all: Set<Body>, ports: DoorPorts): Promise<HttpAnswer> {
  const { secret, repository, start } = ports;
  if (request.method !== 'POST') return [405, 'POST deliveries of a webhook here'];
  const signature = /^sha256=([0-9a-f]{64})$/.exec(headerOf(request.headers, 'x-hub-signature-256'))?.[1];
  if (signature === undefined) return [401, 'there is no signature X-Hub-Signature-256'];
  const body = await bodyOf(request, all);
  if (!Buffer.isBuffer(body)) return body;
  const wanted = createHmac('sha256', secret).update(body).digest();
  if (!timingSafeEqual(wanted, Buffer.from(signature, 'hex'))) return [403, 'the signature is not that of the secret'];
  if (headerOf(request.headers, 'x-github-event') !== 'issue_comment') return [200, 'only issue_comment is read'];
  const read = commentIn(body, repository);
  if (typeof read !== 'number') return read;
  await start({ repository, comment: read });
  return [202, 'taken'];
}

/** A body that is being read, and what ends that. */
interface Body {
  bytes: number;
  readonly end: (as: Buffer | HttpAnswer) => void;
}

/** Returns the body, or why it is refused. If all bodies (the oldest first) are too large together, the oldest that is not smaller than
 * their mean is refused: one below MOST_TOGETHER / MOST_CONNECTIONS never is. */
const bodyOf = (request: IncomingMessage, all: Set<Body>): Promise<Buffer | HttpAnswer> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const end: Body['end'] = (as) => {
      all.delete(own);
      // The answer of a refusal goes over the same connection.
      request.off('data', take).pause();
      resolve(as);
    };
    const own: Body = { bytes: 0, end };
    const take = (piece: Buffer): void => {
      pieces.push(piece);
      own.bytes += piece.length;
      if (own.bytes > MOST_BYTES) return end(TOO_LONG);
      const together = [...all].reduce((sum, { bytes }) => sum + bytes, 0);
      if (together > MOST_TOGETHER) [...all].find(({ bytes }) => bytes * all.size >= together)!.end(TOO_MUCH);
    };
    all.add(own);
    if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return end(TOO_LONG);
    request.on('data', take).once('end', () => end(Buffer.concat(pieces)));
    request.once('close', () => end(LEFT)).once('error', () => undefined);
  });
const TOO_LONG: HttpAnswer = [413, `a delivery has at most ${MOST_BYTES} bytes`];
const TOO_MUCH: HttpAnswer = [503, `the door reads at most ${MOST_TOGETHER} bytes at once: deliver it again`];
const LEFT: HttpAnswer = [400, 'the connection ended before the delivery did'];

/** Returns the number of the comment in a delivery whose signature is right. */
function commentIn(body: Buffer, repository: string): number | HttpAnswer {
  let sent: unknown = null;
  try {
    sent = JSON.parse(body.toString('utf8'));
  } catch {
    return [415, 'a delivery is JSON: choose application/json'];
  }
  const { action, ...rest } = isObject(sent) ? sent : {};
  const of = (key: string) => (isObject(rest[key]) ? rest[key] : {});
  const [{ id, body: text }, { full_name: name }] = [of('comment'), of('repository')];
  if (String(name).toLowerCase() !== repository.toLowerCase()) return [403, 'this is another repository'];
  if (action !== 'created') return [200, 'only new comments are read'];
  if (!Number.isSafeInteger(id) || (id as number) < 1 || typeof text !== 'string') return [400, 'there is no comment'];
  if (!isObject(of('issue')['pull_request']) || !mayAsk(text)) return [200, 'it asks for nothing'];
  return id as number;
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');
