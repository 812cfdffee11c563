import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Temporal of a home that `slipway up` started: what a connection to its door takes. */
export function homeServer(root, home) {
  const { services } = JSON.parse(readFileSync(join(home, 'services.json'), 'utf8'));
  const require = createRequire(join(root, 'package.json'));
  const { serverSettings } = require('./dist/adapters/temporal/settings.js');
  const { serverEnv } = require('./dist/adapters/temporal/server-env.js');
  const { namespace: _, ...server } = serverSettings({}, services.temporal);
  return { server, env: serverEnv(services.temporal), pid: services.temporal.pid };
}
