import { join } from 'node:path';
import { type DataConverter, type PayloadCodec, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createCodec } from './codec.js';
import { createGzip, type Reader } from './gzip.js';
import { readKeys, type Key } from './keys.js';
import { encodingOf } from './payload-bytes.js';

/** Decodes an unreadable payload to an object that says so. A decoding error would fail the workflow task for ever;
 * this object is refused like other invalid input. */
const legible: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => payloads.map(readable),
};

/** Returns the converter of a client or a worker. With keys, messages and stacks of failures are payloads too. */
export async function dataConverter(
  env: Readonly<Record<string, string | undefined>>,
  reader: Reader = 'client',
): Promise<DataConverter & { readonly payloadCodecs: PayloadCodec[] }> {
  const keys = await readKeys(env);
  return {
    payloadCodecs: payloadCodecs(keys, reader),
    ...(keys.length > 0 && { failureConverterPath: ENCODED_FAILURES }),
  };
}

/** Payloads are encoded from first to last, and decoded from last to first. */
export const payloadCodecs = (keys: readonly Key[] = [], reader: Reader = 'client'): PayloadCodec[] => [
  legible,
  createGzip(reader),
  createCodec(keys),
];

/** Loaded by path, also into the workflow bundle, so it imports nothing of Node. */
const ENCODED_FAILURES = join(__dirname, 'encoded-failures');

function readable(payload: Payload): Payload {
  try {
    defaultPayloadConverter.fromPayload(payload);
    return payload;
  } catch {
    const encoding = encodingOf(payload).slice(0, 80);
    return defaultPayloadConverter.toPayload({ unreadable: `a payload of encoding ${JSON.stringify(encoding)}` });
  }
}
