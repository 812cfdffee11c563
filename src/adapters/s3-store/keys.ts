import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.js';

export async function keysUnder(bucket: Bucket, folder: string): Promise<string[]> {
  return bucket.patiently(async () => {
    const found: string[] = [];
    const { Bucket: name, Key } = bucket.at(folder);
    for await (const page of paginateListObjectsV2({ client: bucket.client }, { Bucket: name, Prefix: Key }))
      for (const { Key: key } of page.Contents ?? []) found.push(key!.slice(bucket.settings.prefix.length));
    return found;
  });
}
