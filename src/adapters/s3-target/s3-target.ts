import { AbortMultipartUploadCommand, CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import type { Artifact } from '../../model/artifact.js';
import { once } from '../../model/once.js';
import type { Bucket } from '../s3-store/bucket.js';
import { digestAt } from '../s3-store/layout.js';
import { sourceOfFile } from '../s3-store/source.js';
import { createOnce } from '../s3-store/upload.js';
import { extraOf } from '../target-extra.js';
import { openBucket } from './open-bucket.js';
import { asTarget } from './translate.js';

/** Real files under real names in a bucket: `{branch}/{commit}/{file}`, or as the release file says. Each is created
 * once by a conditional write, then read back completely. */
export function createS3Target(to: Connection, session: Session): PublishTarget {
  const { path, endpoint } = extraOf(to, 's3');
  const open = once(() => openBucket(to, endpoint, session));
  const within = <T>(action: (bucket: Bucket) => Promise<T>): Promise<T> =>
    asTarget(to.name, to.address, async () => action(open()));
  const url = (name: string): string => `${to.address.replace(/\/+$/, '')}/${name}`;
  return {
    async prove() {
      await within((bucket) => tryUpload(bucket, path.replaceAll('{file}', 'slipway-proof')));
      return null; // files have names only once built
    },
    items: (artifact) => [{ artifact, name: pathOf(path, artifact), url: url(pathOf(path, artifact)) }],
    observe: (item) => within((bucket) => observe(bucket, item)),
    upload: (items) =>
      within(async (bucket) => {
        for (const item of items) await upload(bucket, session, item);
      }),
    source: async () => ({ address: to.address, credential: null }),
  };
}

/** A JAR for one platform goes into that platform's folder, as in the store's layout. */
function pathOf(path: string, { kind, name, labels }: Artifact): string {
  const platform = kind === 'jar' ? labels['platform'] : undefined;
  return path.replaceAll('{file}', platform === undefined ? name : `jars/${platform}/${name}`);
}

/** Starts and cancels an upload, which detects a read-only key before anything is built. */
async function tryUpload(bucket: Bucket, path: string): Promise<void> {
  const at = bucket.at(path);
  const { UploadId } = await bucket.patiently(() => bucket.client.send(new CreateMultipartUploadCommand(at)));
  await bucket.patiently(() => bucket.client.send(new AbortMultipartUploadCommand({ ...at, UploadId })));
}

async function observe(bucket: Bucket, { name }: Item): Promise<Observed> {
  if ((await bucket.head(name)) === null) return { state: 'absent' };
  // The metadata is the writer's claim; only the bytes count.
  return { state: 'present', digest: (await bucket.patiently(() => digestAt(bucket, name))).digest };
}

async function upload(bucket: Bucket, session: Session, { artifact, name }: Item): Promise<void> {
  const { body } = await sourceOfFile(await session.fetch(artifact, join(session.folder, 'upload')));
  session.log.write(`creating ${bucket.place(name)}\n`);
  await createOnce(bucket, name, artifact, body);
}
