import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { bytesOf, encodingOf, payloadOf } from './payload-bytes.js';

/** Payloads up to this size stay readable in the Temporal UI. */
const SMALL_BYTES = 4096;
/** Largest payload after decompression. The server takes 2 MB, which gzip could expand to 2 GB. The largest payload
 * of Slipway is a plan, at most 10 MB (`src/activities/plan/make-plan.ts`). */
const MOST_BYTES = 32 * 1024 * 1024;
/** Largest message to a workflow after decompression: the server's limit for uncompressed messages. */
const MOST_MESSAGE_BYTES = 2 * 1024 * 1024;
const GZIPPED = 'binary/gzip';
/** Start and fields of the SDK's answer to `__temporal_workflow_metadata`. */
const METADATA = Buffer.from('{"definition":{"type":');
const METADATA_FIELDS = ['definition', 'currentDetails'];

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** Workers take small messages only: anybody who reaches Temporal can send thousands of them to a run. */
export type Reader = 'worker' | 'client';

/** Compresses large payloads. A damaged or too large payload stays compressed; `legible` reports it as unreadable. */
export const createGzip = (reader: Reader): PayloadCodec => ({
  encode: (payloads) => Promise.all(payloads.map(compressed)),
  decode: (payloads, context) => {
    const most = reader === 'worker' && context?.type === 'workflow' ? MOST_MESSAGE_BYTES : MOST_BYTES;
    return Promise.all(payloads.map((payload) => decompressed(payload, most)));
  },
});

async function compressed(payload: Payload): Promise<Payload> {
  const size = payload.data?.length ?? 0;
  if (size <= SMALL_BYTES || isMetadata(payload)) return payload;
  const data = await compress(bytesOf(payload));
  return data.length < size ? { metadata: { encoding: Buffer.from(GZIPPED) }, data } : payload;
}

/** Temporal's command line and page read this answer without a codec server. A codec does not hear which query it encodes, so the
 * payload's form decides: one that looks alike is sent uncompressed too. */
function isMetadata(payload: Payload): boolean {
  const data = payload.data!;
  if (encodingOf(payload) !== 'json/plain' || !METADATA.equals(data.subarray(0, METADATA.length))) return false;
  try {
    const fields = Object.keys(JSON.parse(Buffer.from(data).toString('utf8')) as object);
    return fields.every((field) => METADATA_FIELDS.includes(field));
  } catch {
    return false;
  }
}

async function decompressed(payload: Payload, maxOutputLength: number): Promise<Payload> {
  if (encodingOf(payload) !== GZIPPED) return payload;
  try {
    return payloadOf(await decompress(payload.data ?? Buffer.of(), { maxOutputLength }));
  } catch {
    return payload;
  }
}
