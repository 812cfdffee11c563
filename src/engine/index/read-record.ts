import { isObject } from '../../model/check.js';
import { isDigest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { jsonIn } from '../../model/json.js';
import type { Gone, IndexEntry } from '../../model/python/index-entry.js';
import { projectOf } from './listed.js';
import { nameFault } from '../../model/file-name.js';
import { normalName, parseWheelName } from '../../model/python/file-name.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export type Fields = Readonly<Record<string, unknown>>;
export const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns why a record does not describe the file that its path names. Null if it does. */
function faultOf(record: Fields | null, project: string, file: string): string | null {
  const name = parseWheelName(file);
  if (name === null || nameFault(file) !== null) return 'its name is no wheel';
  if (normalName(name.project) !== project) return `the wheel is of ${normalName(name.project)}`;
  if (record === null) return 'it is no JSON object: truncated, or not ours';
  if (record['slipway'] !== 1) return 'it is of another format';
  return record['file'] === file ? null : 'it names another file';
}

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function entryFault(record: Fields): string | null {
  const wrong = ['digest', 'metadata', 'statement'].find((key) => !isDigest(record[key]));
  if (wrong !== undefined) return `"${wrong}" is no sha256`;
  if (!isSize(record['size'])) return '"size" is no number of bytes';
  if (record['requiresPython'] !== null && !isText(record['requiresPython'])) return '"requiresPython" is no text';
  if (!isFrom(record['from'])) return '"from" is no object of digests';
  if (!isLinks(record['links'])) return '"links" is no list of versions by library';
  if (record['epoch'] !== undefined && !isSize(record['epoch'])) return '"epoch" is no number';
  if (record['publisher'] !== null && !isText(record['publisher'])) return '"publisher" is no text';
  return isTime(record['uploadTime']) ? null : '"uploadTime" is no time';
}

function isFrom(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const { source, lock, base } = value as Fields;
  return [source, lock, base].every((input) => input === null || isDigest(input));
}

/** Installers refuse a whole page for a day that the calendar lacks. */
function isTime(value: unknown): boolean {
  if (!isText(value) || !TIME.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === value.slice(0, 19);
}

const isLinks = (value: unknown): boolean =>
  value === undefined ||
  (value !== null &&
    typeof value === 'object' &&
    Object.values(value).every((versions) => Array.isArray(versions) && versions.every(isText)));

function goneFault({ state, because, yanked }: Fields): string | null {
  if (!['yanked', 'removed'].includes(String(state)) || !isText(because))
    return '"state" is neither yanked nor removed';
  const { by, because: why } = (yanked ?? { by: '', because: '' }) as Fields;
  return isText(by) && isText(why) ? null : '"yanked" has no reason';
}

/** Reads `entries/PROJECT/FILE.json`. Anyone may have edited the folder, so a damaged record is a finding. */
export const readEntry = (path: string, text: string): IndexEntry | Finding =>
  read<IndexEntry>(path, text, entryFault, 'INDEX_ENTRY_DAMAGED');

/** Reads `gone/PROJECT/FILE.json`. */
export const readGone = (path: string, text: string): Gone | Finding =>
  read<Gone>(path, text, goneFault, 'INDEX_GONE_DAMAGED');

const isYank = (value: unknown): boolean => value === undefined || isText(value);

/** Whether a value is an entry of the file that it names, perhaps with the reason of a yank. */
export function isEntry(value: unknown): value is IndexEntry {
  const record = value !== null && typeof value === 'object' ? (value as Fields) : null;
  const file = String(record?.['file']);
  return faultOf(record, projectOf(file), file) === null && entryFault(record!) === null && isYank(record!['yanked']);
}

function read<T>(path: string, text: string, judge: (record: Fields) => string | null, code: string): T | Finding {
  const [project = '', name = ''] = path.split('/').slice(-2);
  const record = objectIn(text);
  const why = faultOf(record, project, name.replace(/\.json$/, '')) ?? judge(record!);
  return why === null ? (record as T) : damaged(code, path, why);
}

/** Returns the object that a text of JSON is. Null for anything else. */
export function objectIn(text: string): Fields | null {
  const value = jsonIn(text);
  return isObject(value) ? value : null;
}

const damaged = (code: string, path: string, why: string): Finding => ({
  level: 'warning',
  code,
  subject: path,
  why: `the record is damaged, so its wheel is not listed: ${why}`,
  next: 'Remove the record, then publish the wheel again: `slipway run FILE`. Other wheels are listed.',
});

export const isFinding = (value: object): value is Finding => 'level' in value;
