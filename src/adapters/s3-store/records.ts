import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { Store } from '../../activities/ports.js';
import { isRecordFile, partOf, prefixPath, recordPath } from '../store/names.js';
import type { Bucket } from './bucket.js';
import { readDocument, writeDocument } from './documents.js';

const FOLDER = 'records/';

/** Records by name at `records/<name>.json`: `If-None-Match: *` decides who was first. */
export function createRecords(bucket: Bucket): Pick<Store, 'create' | 'read' | 'list'> {
  return {
    create: async (name, value) => {
      const { ours, value: held } = await writeDocument(bucket, FOLDER + recordPath(name), name, value, null);
      return { created: ours, value: held };
    },
    read: async <T>(name: string) => (await readDocument<T>(bucket, FOLDER + recordPath(name), name))?.value ?? null,
    list: async (prefix) =>
      (await keys(bucket, `${FOLDER}${prefixPath(prefix)}/`)).filter(isRecordFile).map(nameOf).sort(),
  };
}

const nameOf = (key: string): string => key.slice(FOLDER.length).split('/').map(partOfKey).join('/');
/** Folders end in `.json` only escaped, so only the last part loses its ending. */
const partOfKey = (part: string, at: number, all: readonly string[]): string =>
  at === all.length - 1 ? partOf(part) : decodeURIComponent(part);

/** All keys under a folder, a thousand at a time, without our prefix. */
async function keys(bucket: Bucket, folder: string): Promise<string[]> {
  return bucket.patiently(async () => {
    const found: string[] = [];
    const { Bucket: name, Key } = bucket.at(folder);
    for await (const page of paginateListObjectsV2({ client: bucket.client }, { Bucket: name, Prefix: Key }))
      for (const { Key: key } of page.Contents ?? []) found.push(key!.slice(bucket.settings.prefix.length));
    return found;
  });
}
