import { homeIfNamed } from '../adapters/home.js';
import { serviceOf } from '../adapters/service-of.js';
import { dataConverter } from '../adapters/temporal/codec/data-converter.js';
import { withoutServer } from '../adapters/temporal/server-env.js';
import { serverSettings, type ServerSettings } from '../adapters/temporal/settings.js';
import type { ConnectOptions } from './index.js';

/** Returns the server that the options name, else the variables. Throws SERVICES_DOWN, HOME_NOT_NAMED, DOOR_CERTIFICATE_UNUSABLE or
 * CERTIFICATE_UNREADABLE. */
export function serverOf({ home, address, namespace, tls, apiKey, mark }: ConnectOptions): ServerSettings {
  const env = envOf({ home, address });
  const settings = serverSettings(env, serviceOf(homeIfNamed(env), 'temporal'));
  return {
    ...settings,
    ...(address !== undefined && { address }),
    ...(namespace !== undefined && { namespace }),
    // The door's certificates prove the home: `tls` must not replace them.
    ...(tls !== undefined && settings.mark !== null && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(mark !== undefined && { mark }),
  };
}

/** Removes the variables of another server. */
function envOf({ home, address }: Readonly<Record<'home' | 'address', string | undefined>>): NodeJS.ProcessEnv {
  if (home === undefined && address === undefined) return process.env;
  return {
    ...process.env,
    ...withoutServer(process.env),
    ...(home === undefined ? { TEMPORAL_ADDRESS: address } : { SLIPWAY_HOME: home }),
  };
}

/** Returns the workers' converter. Throws CODEC_…. */
export const converterOf = ({ codecKeys }: ConnectOptions) =>
  dataConverter(codecKeys === undefined ? process.env : { ...process.env, SLIPWAY_CODEC_KEYS: codecKeys });
