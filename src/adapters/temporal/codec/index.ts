import type { PayloadCodec } from '@temporalio/common';
import { createCodec } from './codec.js';
import { createGzip } from './gzip.js';
import { newKeyLine, readKeys } from './keys.js';
import { serveCodec, type CodecServer } from './server.js';

export const codecPort = (env: Readonly<Record<string, string | undefined>>) => ({
  newKeyLine,
  /** @param where port of 127.0.0.1, or path of a socket */
  serve: async (where: number | string, origins: readonly string[]): Promise<CodecServer> =>
    serveCodec(encryptedGzip(createCodec(await readKeys(env))), where, origins),
});

const gzip = createGzip('client');

const encryptedGzip = (encryption: PayloadCodec): PayloadCodec => ({
  encode: async (payloads) => encryption.encode(await gzip.encode(payloads)),
  decode: async (payloads) => gzip.decode(await encryption.decode(payloads)),
});
