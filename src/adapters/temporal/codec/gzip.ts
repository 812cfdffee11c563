import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { bytesOf, encodingOf, payloadOf } from './payload-bytes.js';

/** Payloads up to this size stay as they are: people read them in the Temporal UI. */
const SMALL_BYTES = 4096;
/** Largest payload after decompression. The server takes two megabytes, and gzip makes two gigabytes of them. The plan of a run is
 * the largest payload of ours, at most 10 MB (`src/activities/plan/make-plan.ts`). */
const MOST_BYTES = 32 * 1024 * 1024;
const GZIPPED = 'binary/gzip';

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** Compresses large payloads. A damaged or too large one stays compressed: `legible` tells it as unreadable. */
export const gzipCodec: PayloadCodec = {
  encode: (payloads) => Promise.all(payloads.map(compressed)),
  decode: (payloads) => Promise.all(payloads.map(decompressed)),
};

async function compressed(payload: Payload): Promise<Payload> {
  const size = payload.data?.length ?? 0;
  if (size <= SMALL_BYTES) return payload;
  const data = await compress(bytesOf(payload));
  return data.length < size ? { metadata: { encoding: Buffer.from(GZIPPED) }, data } : payload;
}

async function decompressed(payload: Payload): Promise<Payload> {
  if (encodingOf(payload) !== GZIPPED) return payload;
  try {
    return payloadOf(await decompress(payload.data ?? Buffer.of(), { maxOutputLength: MOST_BYTES }));
  } catch {
    return payload;
  }
}
