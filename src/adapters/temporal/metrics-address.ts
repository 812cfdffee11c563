import { isIP } from 'node:net';
import { fail } from '../../model/failure.js';
import { metricsAddressInvalid } from './errors.js';

type Env = Readonly<Record<string, string | undefined>>;

const ADDRESS = /^(?:\[(?<six>[^\]]+)\]:|(?<four>[^:]+):)?(?<port>\d{1,5})$/;

/** Returns the address of a process's page of metrics, `127.0.0.1:9464`: SLIPWAY_METRICS, where a port alone is on loopback. Null: no
 * page. Throws METRICS_ADDRESS_INVALID. */
export const metricsAddress = (env: Env): string | null => addressAt(env, 0);

/** Returns the setting of the worker with this place among those of one command, from 0: each process has a port of its own. */
export function metricsSetting(env: Env, place: number): Readonly<Record<string, string>> {
  const address = addressAt(env, place);
  return address === null ? {} : { SLIPWAY_METRICS: address };
}

function addressAt(env: Env, place: number): string | null {
  const said = env['SLIPWAY_METRICS']?.trim();
  if (!said) return null;
  const { six, four = '127.0.0.1', port } = ADDRESS.exec(said)?.groups ?? {};
  const at = Number(port) + place;
  const host = six === undefined ? four : `[${six}]`;
  const isAddress = six === undefined ? isIP(four) === 4 : isIP(six) === 6;
  if (!isAddress || !(Number(port) >= 1 && at <= 65_535)) throw fail(metricsAddressInvalid(said));
  return `${host}:${at}`;
}
