import { join } from 'node:path';
import { SERVER_NAME } from './certificates.js';
import type { Recorded } from './settings.js';

/** Environment of a program that asks the server of `slipway up`, whatever server the user's own variables name. */
export const serverEnv = ({ address, certificates: folder }: Recorded, env = process.env): NodeJS.ProcessEnv => ({
  ...env,
  ...withoutServer(env),
  TEMPORAL_ADDRESS: address,
  ...(folder === undefined
    ? {}
    : {
        TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, 'ca.pem'),
        TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'client.pem'),
        TEMPORAL_TLS_CLIENT_KEY_PATH: join(folder, 'client.key'),
      }),
});

/** Removes the user's variables of Temporal from an environment that is laid over another. */
export const withoutServer = (env: Readonly<Record<string, string | undefined>>): Record<string, undefined> =>
  Object.fromEntries(Object.keys(env).flatMap((name) => (name.startsWith('TEMPORAL_') ? [[name, undefined]] : [])));
