import { fail } from '../../model/failure.js';
import type { StoreKey } from '../store/choice.js';
import { addressRefused, settingRefused } from './errors.js';

export interface S3Settings {
  readonly bucket: string;
  /** Prefix of every key: empty, or ends in `/`. */
  readonly prefix: string;
  /** A server other than AWS: `http://127.0.0.1:7070`. */
  readonly endpoint?: string;
  /** Socket of that server: nobody else answers there. */
  readonly socket?: string;
  /** `http://host/bucket/key` instead of `http://bucket.host/key`; most servers other than AWS need it. */
  readonly pathStyle: boolean;
  readonly region?: string;
  /** Credentials of the home's own server. Otherwise the SDK finds them: environment, profile, role. */
  readonly credentials?: StoreKey;
  /** Larger objects are uploaded in parts. In one request of 1 GB a server takes half the time and checks the
   * SHA-256 itself. */
  readonly partsAboveBytes?: number;
  /** Milliseconds of retries before an unreachable server is a failure. */
  readonly patienceMs: number;
  /** Milliseconds without a byte before a connection is closed and the request retried. */
  readonly silenceMs?: number;
}

const PATIENCE_MS = 5 * 60_000;
const ANY_REGION = 'us-east-1';
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** @param address `s3://bucket/prefix` */
export function s3Settings(address: string, env: NodeJS.ProcessEnv): S3Settings {
  const found = ADDRESS.exec(address);
  if (found === null) throw fail(addressRefused(address));
  const endpoint = env['SLIPWAY_S3_ENDPOINT'];
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? (endpoint ? ANY_REGION : undefined);
  return {
    bucket: found[1]!,
    prefix: folderOf(found[2] ?? ''),
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
    pathStyle: yesOrNo(env, 'SLIPWAY_S3_PATH_STYLE') ?? Boolean(endpoint),
    patienceMs: milliseconds(env, 'SLIPWAY_S3_PATIENCE_MS') ?? PATIENCE_MS,
  };
}

function yesOrNo(env: NodeJS.ProcessEnv, name: string): boolean | null {
  const said = env[name]?.toLowerCase();
  if (!said) return null;
  if (!['1', 'true', '0', 'false'].includes(said)) throw fail(settingRefused(name, said, '1 or 0'));
  return said === '1' || said === 'true';
}

/** Throws STORE_SETTING_REFUSED if it is no number, which would mean an endless wait. */
function milliseconds(env: NodeJS.ProcessEnv, name: string): number | null {
  const said = env[name];
  if (!said) return null;
  if (!/^\d{1,9}$/.test(said)) throw fail(settingRefused(name, said, 'milliseconds, 300000 for five minutes'));
  return Number(said);
}

function folderOf(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `${bare}/`;
}

/** Returns the settings of `slipway up --store s3`: one bucket for one home. */
export const ownServer = (endpoint: string, credentials: StoreKey): S3Settings => ({
  bucket: 'slipway',
  prefix: '',
  endpoint,
  pathStyle: true,
  region: ANY_REGION,
  credentials,
  patienceMs: PATIENCE_MS,
});
