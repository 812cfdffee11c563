import { fail } from '../../model/failure.js';
import { layoutNameRefused, recordNameRefused } from './errors.js';

const ENDING = '.json';
const LONGEST_PART_BYTES = 200;

const acceptable = (part: string): boolean =>
  part !== '' &&
  part !== '.' &&
  part !== '..' &&
  !/\p{Surrogate}/u.test(part) &&
  encode(part).length <= LONGEST_PART_BYTES;

/** Encoded it is the same. Most parts are plain, and a command may read 100,000 records. */
const PLAIN = /^[\w.-]*$/;

const encode = (part: string): string =>
  PLAIN.test(part)
    ? part
    : encodeURIComponent(part).replace(/%(3A|40|2B|3D)/g, (escaped) => decodeURIComponent(escaped));

/** Escapes folders that look like records, so that `a.json/b` and `a` can coexist. */
const encodeFolder = (part: string): string => encode(part).replace(/\.json$/, '%2Ejson');

export function recordPath(name: string): string {
  const parts = name.split('/');
  if (!parts.every(acceptable)) throw fail(recordNameRefused(name));
  const last = parts.pop()!;
  return [...parts.map(encodeFolder), encode(last) + ENDING].join('/');
}

export function prefixPath(prefix: string): string {
  if (!prefix.endsWith('/')) throw fail(recordNameRefused(prefix));
  const parts = prefix.slice(0, -1).split('/');
  if (!parts.every(acceptable)) throw fail(recordNameRefused(prefix));
  return parts.map(encodeFolder).join('/');
}

export const isRecordFile = (file: string): boolean => file.endsWith(ENDING);

/** Returns the part of a record's name from a file or folder name. */
export const partOf = (entry: string): string =>
  decodeURIComponent(entry.endsWith(ENDING) ? entry.slice(0, -ENDING.length) : entry);

/** Returns the path unchanged, because people read it. Throws LAYOUT_NAME_REFUSED. */
export function layoutPath(path: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is refused
  if (!path.split('/').every(acceptable) || /[\\\u0000-\u001f]/.test(path)) throw fail(layoutNameRefused(path));
  return path;
}
