import { fail } from '../../model/failure.js';
import { addressRefused } from './errors.js';

/** Where a store on S3 is, and how it is talked to. */
export interface S3Settings {
  readonly bucket: string;
  /** Put in front of every key: empty, or ends in `/`. */
  readonly prefix: string;
  /** A server that is not AWS: `http://127.0.0.1:7070`. */
  readonly endpoint?: string;
  /** `http://host/bucket/key` instead of `http://bucket.host/key`; what most servers that are not AWS want. */
  readonly pathStyle: boolean;
  readonly region?: string;
  /** Of a server of our own. Everywhere else the SDK's chain finds them: environment, profile, role. */
  readonly credentials?: Credentials;
  /** Longer ones go in parts: with 1 GB in one request a server is done in half the time, and checks the SHA-256 itself. */
  readonly partsAboveBytes?: number;
  /** How long a server that is away is asked again before that is a failure. */
  readonly patienceMs: number;
  /** Without a byte in either direction a connection is given up, and the request asked again. */
  readonly silenceMs?: number;
}
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What a step has made is not thrown away because the store is away for minutes; it is told meanwhile. */
const PATIENCE_MS = 5 * 60_000;
const ANY_REGION = 'us-east-1';
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** @param address `s3://bucket/prefix` */
export function s3Settings(address: string, env: NodeJS.ProcessEnv): S3Settings {
  const found = ADDRESS.exec(address);
  if (found === null) throw fail(addressRefused(address));
  const endpoint = env['SLIPWAY_S3_ENDPOINT'];
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? (endpoint ? ANY_REGION : undefined);
  const pathStyle = env['SLIPWAY_S3_PATH_STYLE'];
  return {
    bucket: found[1]!,
    prefix: folderOf(found[2] ?? ''),
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
    pathStyle: pathStyle ? pathStyle === '1' : Boolean(endpoint),
    patienceMs: Number(env['SLIPWAY_S3_PATIENCE_MS'] ?? PATIENCE_MS),
  };
}

function folderOf(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `${bare}/`;
}

/** What `slipway up --store s3` runs: one bucket for one home. */
export const ownServer = (endpoint: string, credentials: Credentials): S3Settings => ({
  bucket: 'slipway',
  prefix: '',
  endpoint,
  pathStyle: true,
  region: ANY_REGION,
  credentials,
  patienceMs: PATIENCE_MS,
});
