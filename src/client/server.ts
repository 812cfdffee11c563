import { home as homeOf } from '../adapters/home.js';
import { serviceOf } from '../adapters/service-of.js';
import { dataConverter } from '../adapters/temporal/codec/data-converter.js';
import { withoutServer } from '../adapters/temporal/server-env.js';
import { serverSettings, type ServerSettings } from '../adapters/temporal/settings.js';
import type { ConnectOptions } from './index.js';

/** Returns the server that the options name, else the variables. Throws SERVICES_DOWN, DOOR_CERTIFICATE_UNUSABLE or
 * CERTIFICATE_UNREADABLE. */
export function serverOf({ home, address, namespace, tls, apiKey, mark }: ConnectOptions): ServerSettings {
  const env = envOf({ home, address });
  const named = {
    ...(namespace !== undefined && { namespace }),
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(mark !== undefined && { mark }),
  };
  return { ...serverSettings(env, serviceOf(homeOf(env), 'temporal')), ...named };
}

/** Removes the variables of another server. */
function envOf({ home, address }: Readonly<Record<'home' | 'address', string | undefined>>): NodeJS.ProcessEnv {
  if (home === undefined && address === undefined) return process.env;
  return {
    ...process.env,
    ...withoutServer(process.env),
    ...(home !== undefined && { SLIPWAY_HOME: home }),
    ...(address !== undefined && { TEMPORAL_ADDRESS: address }),
  };
}

/** Returns the workers' converter. Throws CODEC_…. */
export const converterOf = ({ codecKeys }: ConnectOptions) =>
  dataConverter(codecKeys === undefined ? process.env : { ...process.env, SLIPWAY_CODEC_KEYS: codecKeys });
