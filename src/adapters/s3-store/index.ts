import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { OpenStore } from '../store/opened.js';
import { Bucket } from './bucket.js';
import { createLayout } from './layout.js';
import { createObjects } from './objects.js';
import { createPointers } from './pointers.js';
import { createRecords } from './records.js';
import type { S3Settings } from './settings.js';

/** A store in a bucket, shared by all machines that reach it. @param folder local folder for pending uploads */
export function createS3Store(settings: S3Settings, folder: string): OpenStore {
  const bucket = new Bucket(settings);
  const records = createRecords(bucket);
  const pointers = createPointers(bucket);
  return {
    ...createObjects(bucket, folder),
    ...records,
    pointers,
    waitsFor: () => bucket.waitsFor(),
    layout: (release) => createLayout(bucket, records, pointers, release),
  };
}

/** Creates the bucket of a home's own server. An existing bucket stays as it is. */
export async function createBucket(settings: S3Settings): Promise<void> {
  const { client } = new Bucket(settings);
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket })).catch((error: unknown) => {
    if (!(error as Error).name.startsWith('BucketAlready')) throw error;
  });
}
