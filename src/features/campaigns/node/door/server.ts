import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../../model/check.js';
import type { CommentInput } from '../../pure/comments/messages.js';
import { isNumber, mayAsk } from '../../pure/comments/messages.js';

const MOST_BYTES = 1024 * 1024;
/** Bytes of all deliveries that are read at once. */
const MOST_TOGETHER = 64 * MOST_BYTES;
const MOST_CONNECTIONS = 2_000;

export interface DoorPorts {
  readonly repository: string;
  readonly secret: string;
  /** Starts the workflow of a comment, unless it was started before. */
  readonly start: (input: CommentInput) => Promise<void>;
  /** Called for each request. It gets no secret and no text of a body. */
  readonly log: (line: { readonly delivery: string; readonly status: number; readonly why: string }) => void;
}

/** Limits of time in milliseconds. GitHub waits ten seconds for an answer. */
const LIMITS = { wholeMs: 10_000, idleMs: 5_000, looksMs: 1_000 };

export interface Door {
  readonly port: number;
  close(): Promise<void>;
}

/** Takes deliveries of GitHub's webhook on 127.0.0.1. A comment whose signature is right starts a workflow. */
export async function openDoor(port: number, ports: DoorPorts, limits: Partial<typeof LIMITS> = {}): Promise<Door> {
  const { wholeMs, idleMs, looksMs } = { ...LIMITS, ...limits };
  let together = 0;
  const server = createServer({ connectionsCheckingInterval: looksMs }, (request, response) => {
    let own = 0;
    const take = (bytes: number): number | null => {
      [own, together] = [own + bytes, together + bytes];
      return own > MOST_BYTES ? 413 : together > MOST_TOGETHER ? 503 : null;
    };
    void answerTo(request, take, ports)
      .catch((): Said => [503, 'the server of workflows does not answer'])
      .then(([status, why]) => {
        together -= own;
        ports.log({ delivery: deliveryOf(request.headers), status, why });
        if (!request.complete) response.setHeader('connection', 'close');
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`${why}\n`, () => {
          if (!request.complete) request.socket.destroySoon();
        });
      });
  });
  Object.assign(server, { requestTimeout: wholeMs, headersTimeout: idleMs, keepAliveTimeout: idleMs, timeout: idleMs });
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });

type Said = readonly [status: number, why: string];
/** Counts bytes. Returns the status of a refusal: the body is too long, or too much is read at once. */
type Take = (bytes: number) => number | null;

async function answerTo(request: IncomingMessage, take: Take, ports: DoorPorts): Promise<Said> {
  if (request.method !== 'POST') return [405, 'POST deliveries of a webhook here'];
  const signature = /^sha256=([0-9a-f]{64})$/.exec(headerOf(request.headers, 'x-hub-signature-256'))?.[1];
  if (signature === undefined) return [401, 'there is no signature X-Hub-Signature-256'];
  const body = await bodyOf(request, take);
  if (typeof body === 'number') return [body, `a delivery has at most ${MOST_BYTES} bytes`];
  const wanted = createHmac('sha256', ports.secret).update(body).digest();
  if (!timingSafeEqual(wanted, Buffer.from(signature, 'hex'))) return [403, 'the signature is not that of the secret'];
  const read = commentIn(headerOf(request.headers, 'x-github-event'), body, ports.repository);
  if (Array.isArray(read)) return [read[0] as number, read[1] as string];
  await ports.start(read as CommentInput);
  return [202, 'taken'];
}

/** Returns the body, or the status of a refusal. */
async function bodyOf(request: IncomingMessage, take: Take): Promise<Buffer | number> {
  const pieces: Buffer[] = [];
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return 413;
  for await (const piece of request as AsyncIterable<Buffer>) {
    const refusal = take(piece.length);
    if (refusal !== null) return refusal;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Reads a delivery whose signature is right. */
function commentIn(event: string, body: Buffer, repository: string): CommentInput | readonly [number, string] {
  if (event !== 'issue_comment') return [200, 'only issue_comment is read'];
  let sent: unknown = null;
  try {
    sent = JSON.parse(body.toString('utf8'));
  } catch {
    return [415, 'a delivery is JSON: choose application/json'];
  }
  const { action, comment, issue, repository: of } = isObject(sent) ? sent : {};
  const name = isObject(of) ? of['full_name'] : null;
  if (typeof name !== 'string' || name.toLowerCase() !== repository.toLowerCase())
    return [403, 'this is another repository'];
  if (action !== 'created') return [200, 'only new comments are read'];
  if (!isObject(comment) || !isNumber(comment['id']) || typeof comment['body'] !== 'string')
    return [400, 'there is no comment'];
  if (!isObject(issue) || !isObject(issue['pull_request'])) return [200, 'it is on no pull request'];
  if (!mayAsk(comment['body'])) return [200, 'it asks for nothing'];
  return { repository, comment: comment['id'] };
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};
const deliveryOf = (headers: IncomingHttpHeaders): string =>
  headerOf(headers, 'x-github-delivery')
    .replace(/[^\w-]/g, '')
    .slice(0, 64);
