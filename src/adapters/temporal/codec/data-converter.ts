import { join } from 'node:path';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { createCodec } from './codec.js';
import { createGzip, type Reader } from './gzip.js';
import { readKeys, type Key } from './keys.js';
import { legible } from './legible.js';

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
