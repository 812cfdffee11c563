import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { isObject } from '../../../model/check.js';
import { fail, SlipwayFailure, type Problem } from '../../../model/failure.js';
import {
  codecAnswerTooLarge,
  codecPageUnknown,
  codecPortTaken,
  codecQuestionTooLarge,
  codecQuestionUnreadable,
} from './errors.js';
import { MOST_ENTRIES } from './payload-bytes.js';

/** Largest request. It exceeds the server's payload limit in base64. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_PAYLOADS = 10_000;
/** Most bytes of one answer's payloads, with their metadata. A request of small payloads may decompress to gigabytes. */
const MOST_OPENED_BYTES = 64 * 1024 * 1024;
/** Memory of an entry besides its key and value. */
const ENTRY_BYTES = 100;

export interface CodecServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Encrypts and decrypts for Temporal's web page and command line tool. Takes `POST /encode` and `POST /decode` with
 * `{payloads: [{metadata, data}]}`, values in base64. A refusal is `{code, message, next}`.
 * @param where port of 127.0.0.1, or path of a socket
 * @param origins allowed pages: `http://127.0.0.1:8233` */
export async function serveCodec(
  codec: PayloadCodec,
  where: number | string,
  origins: readonly string[],
): Promise<CodecServer> {
  const server = createServer((request, response) => {
    answer(codec, origins, request, response).catch(() => response.destroy());
  });
  await listening(server, where);
  return {
    address: typeof where === 'string' ? where : `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listening = (server: Server, where: number | string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(fail(codecPortTaken(where, error.message), error)));
    server.listen(typeof where === 'string' ? { path: where } : { port: where, host: '127.0.0.1' }, () => resolve());
  });

async function answer(
  codec: PayloadCodec,
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { origin } = request.headers;
  // Nothing is decrypted for a page of another origin. Programs send no origin.
  if (origin !== undefined && !origins.includes(origin)) return refuse(response, 403, codecPageUnknown(origin));
  if (origin !== undefined) allow(origin, request, response);
  if (request.method === 'OPTIONS') return end(response, 204, null);
  const act = { '/encode': 'encode', '/decode': 'decode' }[(request.url ?? '').split('?')[0]!] as Act | undefined;
  if (request.method !== 'POST' || act === undefined) return refuse(response, 404, codecQuestionUnreadable());
  try {
    const body = await bodyOf(request);
    if (body === null) return refuse(response, 413, codecQuestionTooLarge(MOST_BYTES));
    const payloads = read(body);
    if (payloads === null) return refuse(response, 400, codecQuestionUnreadable());
    end(response, 200, { payloads: await opened(codec[act], payloads) });
  } catch (error) {
    if (error instanceof SlipwayFailure) refuse(response, 422, error.first);
    else refuse(response, 400, codecQuestionUnreadable());
  }
}
type Act = keyof PayloadCodec;

/** One payload after the other, so that what is over the limit was never opened at once. */
async function opened(act: PayloadCodec[Act], payloads: readonly Sent[]): Promise<readonly object[]> {
  const all: object[] = [];
  let left = MOST_OPENED_BYTES;
  for (const payload of payloads) {
    const [one] = await act([payloadIn(payload)]);
    left -= sizeOf(one!);
    if (left < 0) throw fail(codecAnswerTooLarge(MOST_OPENED_BYTES));
    all.push(written(one!));
  }
  return all;
}

const refuse = (response: ServerResponse, status: number, { code, message, next }: Problem): void =>
  end(response, status, { code, message: `${code}: ${message}`, next });

function allow(origin: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('access-control-allow-headers', asked ?? 'content-type, x-namespace');
}

function end(response: ServerResponse, status: number, body: object | null): void {
  const text = body === null ? undefined : JSON.stringify(body);
  response.writeHead(status, text === undefined ? {} : { 'content-type': 'application/json' });
  response.end(text);
}

/** Null if the body is too large. It is read to its end all the same: who still sends does not hear an answer. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= MOST_BYTES) pieces.push(piece);
    else pieces.length = 0;
  }
  return size > MOST_BYTES ? null : Buffer.concat(pieces).toString('utf8');
}

interface Sent {
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly data?: unknown;
}

/** Reads an untrusted request. For a query without input, Temporal's CLI sends no list. Null if the list is something else. */
function read(body: string): readonly Sent[] | null {
  const { payloads = [] } = JSON.parse(body) as { payloads?: unknown };
  if (!Array.isArray(payloads) || payloads.length > MOST_PAYLOADS) return null;
  const read = payloads.map((one: unknown) => (one ?? {}) as Sent);
  return read.every(({ metadata: fields }) => (fields ?? null) === null || isSmall(fields)) ? read : null;
}

const isSmall = (fields: unknown): boolean => isObject(fields) && Object.keys(fields).length <= MOST_ENTRIES;

const payloadIn = ({ metadata, data }: Sent): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([key, value]) => [key, Buffer.from(String(value), 'base64')]),
  ),
  data: Buffer.from(typeof data === 'string' ? data : '', 'base64'),
});

const sizeOf = ({ metadata, data }: Payload): number =>
  Object.entries(metadata ?? {}).reduce(
    (sum, [key, value]) => sum + ENTRY_BYTES + Buffer.byteLength(key) + value.length,
    data?.length ?? 0,
  );

const base64 = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(bytes ?? new Uint8Array()).toString('base64');

const written = ({ metadata, data }: Payload): object => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [key, base64(value)])),
  data: base64(data),
});
