import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { fail, SlipwayFailure } from '../../../model/failure.js';
import { codecPortTaken, codecQuestionTooLarge } from './errors.js';

/** Exceeds the server's payload limit in base64. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface CodecServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Encrypts and decrypts for Temporal's web page and command line tool, on 127.0.0.1 only. Takes `POST /encode` and
 * `POST /decode` with `{payloads: [{metadata, data}]}`, values in base64.
 * @param origins allowed pages: `http://127.0.0.1:8233` */
export async function serveCodec(codec: PayloadCodec, port: number, origins: readonly string[]): Promise<CodecServer> {
  const server = createServer((request, response) => void answer(codec, origins, request, response));
  await listening(server, port);
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(fail(codecPortTaken(port, error.message), error)));
    server.listen(port, '127.0.0.1', () => resolve());
  });

async function answer(
  codec: PayloadCodec,
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { origin } = request.headers;
  // Nothing is decrypted for a page of another origin. Programs send no origin.
  if (origin !== undefined && !origins.includes(origin))
    return end(response, 403, { message: 'this page may not ask' });
  if (origin !== undefined) allow(origin, request, response);
  if (request.method === 'OPTIONS') return end(response, 204, null);
  const act = { '/encode': 'encode', '/decode': 'decode' }[(request.url ?? '').split('?')[0]!] as Act | undefined;
  if (request.method !== 'POST' || act === undefined) return end(response, 404, { message: 'POST /encode or /decode' });
  try {
    const payloads = read(await bodyOf(request));
    if (payloads === null) return end(response, 400, { message: '{"payloads": [{"metadata": {}, "data": "base64"}]}' });
    end(response, 200, { payloads: (await codec[act](payloads)).map(written) });
  } catch (error) {
    const known = error instanceof SlipwayFailure;
    end(response, known ? 422 : 400, { message: known ? error.message : 'this is not understood' });
  }
}
type Act = keyof PayloadCodec;

function allow(origin: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('access-control-allow-headers', asked ?? 'content-type, x-namespace');
}

function end(response: ServerResponse, status: number, body: object | null): void {
  response.writeHead(status, body === null ? {} : { 'content-type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MOST_BYTES) throw fail(codecQuestionTooLarge(MOST_BYTES));
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Reads an untrusted request. For a query without input, Temporal's CLI sends no list. Null if the list is something else. */
function read(body: string): Payload[] | null {
  const { payloads = [] } = JSON.parse(body) as { payloads?: unknown };
  if (!Array.isArray(payloads)) return null;
  const read = payloads.map((one: unknown) => {
    const { metadata, data } = (one ?? {}) as { metadata?: Record<string, unknown>; data?: unknown };
    const fields = Object.entries(metadata ?? {}).map(([key, value]) => [key, Buffer.from(String(value), 'base64')]);
    return {
      metadata: Object.fromEntries(fields) as Record<string, Uint8Array>,
      data: Buffer.from(typeof data === 'string' ? data : '', 'base64'),
    };
  });
  return read;
}

const base64 = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(bytes ?? new Uint8Array()).toString('base64');

const written = ({ metadata, data }: Payload): object => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [key, base64(value)])),
  data: base64(data),
});
