import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Temporal of a home that `slipway up` started: what a connection to its door takes, and the environment of a worker
 * that bench/engine/serve.cjs connects. */
export function homeServer(root, home) {
  const { services } = JSON.parse(readFileSync(join(home, 'services.json'), 'utf8'));
  const { address, certificates, pid } = services.temporal;
  const { serverSettings } = createRequire(join(root, 'package.json'))('./dist/adapters/temporal/settings.js');
  const { namespace: _, ...server } = serverSettings({}, services.temporal);
  const env = { ...process.env, TEMPORAL_ADDRESS: address };
  if (certificates !== undefined)
    Object.assign(env, {
      TEMPORAL_TLS_SERVER_NAME: 'temporal',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(certificates, 'ca.pem'),
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(certificates, 'client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: join(certificates, 'client.key'),
    });
  return { server, env, pid };
}
