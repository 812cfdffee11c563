import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../../model/check.js';
import { type CommentInput, mayAsk } from '../../pure/comments/messages.js';

const MOST_BYTES = 1024 * 1024;
/** Bytes of all deliveries that are read at once. */
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
  let together = 0;
  const server = createServer({ connectionsCheckingInterval: looksMs }, (request, response) => {
    let own = 0;
    const take: Take = (bytes) => {
      [own, together] = [own + bytes, together + bytes];
      return own > MOST_BYTES ? 413 : together > MOST_TOGETHER ? 503 : null;
    };
    void answerTo(request, take, ports)
      .catch((): Said => [503, 'the server of workflows does not answer'])
      .then(([status, why]) => {
        together -= own;
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

type Said = readonly [status: number, why: string];
/** Counts bytes. Returns the status of a refusal: the body is too long, or too much is read at once. */
type Take = (bytes: number) => number | null;

async function answerTo(request: IncomingMessage, take: Take, { secret, repository, start }: DoorPorts): Promise<Said> {
  if (request.method !== 'POST') return [405, 'POST deliveries of a webhook here'];
  const signature = /^sha256=([0-9a-f]{64})$/.exec(headerOf(request.headers, 'x-hub-signature-256'))?.[1];
  if (signature === undefined) return [401, 'there is no signature X-Hub-Signature-256'];
  const body = await bodyOf(request, take);
  if (typeof body === 'number') return [body, `a delivery has at most ${MOST_BYTES} bytes`];
  const wanted = createHmac('sha256', secret).update(body).digest();
  if (!timingSafeEqual(wanted, Buffer.from(signature, 'hex'))) return [403, 'the signature is not that of the secret'];
  if (headerOf(request.headers, 'x-github-event') !== 'issue_comment') return [200, 'only issue_comment is read'];
  const read = commentIn(body, repository);
  if (typeof read !== 'number') return read;
  await start({ repository, comment: read });
  return [202, 'taken'];
}

/** Returns the body, or the status of a refusal. */
async function bodyOf(request: IncomingMessage, take: Take): Promise<Buffer | number> {
  const pieces: Buffer[] = [];
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return 413;
  // The answer of a refusal goes over the same connection.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const refusal = take(piece.length);
    if (refusal !== null) return refusal;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the number of the comment in a delivery whose signature is right. */
function commentIn(body: Buffer, repository: string): number | Said {
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
