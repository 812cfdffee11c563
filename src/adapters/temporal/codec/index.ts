import { fail } from '../../../model/failure.js';
import { createCodec } from './codec.js';
import { noCodecKeys } from './errors.js';
import { newKeyLine, readKeys } from './keys.js';
import { serveCodec, type CodecServer } from './server.js';

/** What `slipway codec` asks for. */
export const codecPort = (env: Readonly<Record<string, string | undefined>>) => ({
  newKeyLine,
  async serve(port: number, origins: readonly string[]): Promise<CodecServer> {
    const keys = await readKeys(env);
    if (keys.length === 0) throw fail(noCodecKeys());
    return serveCodec(createCodec(keys), port, origins);
  },
});
