import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { basename, join } from 'node:path';
import type { Absent, Download, Downloaded, Located, WheelServer } from '../../activities/wheels/taken/ports.js';
import { fail, type Problem, SlipwayFailure } from '../../model/failure.js';
import { nameFault } from '../../model/file-name.js';
import { fittingWheels, type WantedWheel } from '../../model/python/fitting-wheel.js';
import { Bucket } from '../s3-store/bucket.js';
import { isMissing } from '../s3-store/judge.js';
import { s3Settings } from '../s3-store/settings.js';
import { bucketRefused, wheelAmbiguous } from './errors.js';
import { save } from './save.js';

/** Limit of one question: a step that waits for a wheel asks again every 30 s. */
const PATIENCE_MS = '5000';
const NOT_MODIFIED = 304;

/** Wheels in S3 buckets, by addresses `s3://bucket/key`. Server, region and credentials come from the variables that every
 * client of S3 reads: AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID and so on. */
export function createBucketWheels(env: NodeJS.ProcessEnv): WheelServer {
  const buckets = new Map<string, Bucket>();
  const placeOf = (address: string): Place => {
    const { host, pathname } = new URL(address);
    const bucket = buckets.get(host) ?? openBucket(host, env);
    buckets.set(host, bucket);
    return { bucket, address, key: decodeURIComponent(pathname.slice(1)) };
  };
  return {
    find: (address, wanted) =>
      answered(address, () =>
        address.endsWith('/') ? findInFolder(placeOf(address), wanted) : findFile(placeOf(address)),
      ),
    download: (wheel, how) => answered(wheel.url, () => download(placeOf(wheel.url), wheel, how)),
  };
}

interface Place {
  readonly bucket: Bucket;
  readonly address: string;
  readonly key: string;
}

function openBucket(name: string, env: NodeJS.ProcessEnv): Bucket {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const { AWS_REGION, AWS_DEFAULT_REGION } = env;
  const known = { AWS_REGION, AWS_DEFAULT_REGION, SLIPWAY_S3_PATIENCE_MS: PATIENCE_MS };
  return new Bucket(s3Settings(`s3://${name}`, { ...known, ...(endpoint && { SLIPWAY_S3_ENDPOINT: endpoint }) }));
}

/** A server that gives no answer is no failure: it is asked again. Throws WHEEL_BUCKET_REFUSED. */
async function answered<T>(address: string, ask: () => Promise<T>): Promise<T | Absent> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof SlipwayFailure) || !error.first.code.startsWith('STORE_')) throw error;
    const { code, message } = error.first;
    if (code === 'STORE_UNREACHABLE') return { absent: `gives no answer: ${message}`, silent: true };
    throw fail(bucketRefused(address, error.first satisfies Problem), error);
  }
}

async function findFile({ bucket, address, key }: Place): Promise<Located | Absent> {
  const head = await bucket.head(key);
  return head === null ? { absent: 'is no object of the bucket' } : { url: address, name: basename(key) };
}

async function findInFolder({ bucket, address, key }: Place, wanted: WantedWheel): Promise<Located | Absent> {
  const names = await bucket.patiently(async () => {
    const found: string[] = [];
    const asked = { Bucket: bucket.settings.bucket, Prefix: key, Delimiter: '/' };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: bucket.client }, asked))
      found.push(...Contents.flatMap(({ Key }) => (Key === undefined || Key.endsWith('/') ? [] : [basename(Key)])));
    return found;
  });
  const [name, ...more] = fittingWheels(names, wanted);
  if (name === undefined) return { absent: `lists ${names.length} files, and no wheel that fits` };
  if (more.length > 0) throw fail(wheelAmbiguous(address, [name, ...more]));
  return { url: `${address}${encodeURIComponent(name)}`, name };
}

async function download(
  { bucket, address, key }: Place,
  { name }: Located,
  { folder, etag, signal }: Download,
): Promise<Downloaded | Absent | null> {
  const ask = new GetObjectCommand({ ...bucket.at(key), ...(etag !== null && { IfNoneMatch: etag }) });
  const got = await bucket.patiently(() => bucket.client.send(ask, { abortSignal: signal }).catch(notSent));
  if (got === null || 'absent' in got) return got;
  const path = join(folder, nameFault(name) === null ? name : 'unnamed.whl');
  const cut = await save(got.Body, { url: address, type: got.ContentType ?? 'none' }, path, signal);
  return cut ?? { path, etag: got.ETag ?? null };
}

/** Why no bytes came. Null if the known ones are still there. */
function notSent(error: unknown): Absent | null {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  if ($metadata?.httpStatusCode === NOT_MODIFIED) return null;
  if (isMissing(error)) return { absent: 'is no object of the bucket' };
  throw error;
}
