import { join } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { createCodec } from './codec.js';
import { readKeys } from './keys.js';
import { legible } from './legible.js';

/** For whoever speaks to Temporal. Where keys are set, messages and stacks of failures are payloads too. */
export async function dataConverter(env: Readonly<Record<string, string | undefined>>): Promise<DataConverter> {
  const keys = await readKeys(env);
  return {
    payloadCodecs: [legible, createCodec(keys)], // decoded from the last to the first
    ...(keys.length > 0 && { failureConverterPath: ENCODED_FAILURES }),
  };
}

/** Loaded by path, into the workflows' bundle too: it imports nothing of Node. */
const ENCODED_FAILURES = join(__dirname, 'encoded-failures');
