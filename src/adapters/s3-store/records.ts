import type { Store } from '../../activities/ports.js';
import { isRecordFile, partOf, prefixPath, recordPath } from '../store/names.js';
import { isWhatWasSeen } from '../store/record-text.js';
import type { Bucket } from './bucket.js';
import { readDocument, writeDocument } from './documents.js';
import { setAside } from './quarantine.js';

const FOLDER = 'records/';

/** Records by name at `records/<name>.json`. `If-None-Match: *` lets only the first writer succeed. */
export function createRecords(bucket: Bucket): Pick<Store, 'create' | 'read' | 'list' | 'setAside'> {
  return {
    create: async (name, value) => {
      const { ours, value: held } = await writeDocument(bucket, FOLDER + recordPath(name), name, value, null);
      return { created: ours, value: held };
    },
    read: async <T>(name: string) => (await readDocument<T>(bucket, FOLDER + recordPath(name), name))?.value ?? null,
    list: async (prefix) =>
      (await bucket.keysUnder(`${FOLDER}${prefixPath(prefix)}/`)).filter(isRecordFile).map(nameOf).sort(),
    setAside: async (name, seen) => {
      const path = FOLDER + recordPath(name);
      const etag = (await bucket.head(path))?.ETag;
      const isIt = await isWhatWasSeen(
        () => readDocument(bucket, path, name).then((found) => found?.value ?? null),
        seen,
      );
      if (etag !== undefined && isIt) await setAside(bucket, path, path, etag);
    },
  };
}

const nameOf = (key: string): string => key.slice(FOLDER.length).split('/').map(partOfKey).join('/');
/** Folders end in `.json` only escaped, so only the last part loses its ending. */
const partOfKey = (part: string, at: number, all: readonly string[]): string =>
  at === all.length - 1 ? partOf(part) : decodeURIComponent(part);
