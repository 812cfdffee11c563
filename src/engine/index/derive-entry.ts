import { isObject } from '../../model/check.js';
import { hexOf, isDigest, type Digest } from '../../model/digest.js';
import type { IndexEntry } from '../../model/python/index-entry.js';
import { type Fields, objectIn } from './read-record.js';

/** A wheel and the files beside it, from which a lost entry is derived. */
export interface EntryParts extends Pick<
  IndexEntry,
  'file' | 'digest' | 'size' | 'requiresPython' | 'metadata' | 'statement' | 'uploadTime' | 'links'
> {
  readonly statementText: string;
}

/** Derives a lost entry. Null if the statement is about another wheel or other bytes: then nothing says what the file is. */
export function derivedEntry({ statementText, ...parts }: EntryParts): IndexEntry | null {
  if (!isStatementOf(statementText, parts)) return null;
  const definition = objectOf(objectOf(objectIn(statementText)?.['predicate'])['buildDefinition']);
  const inputs = listOf(definition['resolvedDependencies']).map(objectOf);
  const input = (name: string): Digest | null => {
    const digest = `sha256:${String(objectOf(inputs.find((one) => one['name'] === name)?.['digest'])['sha256'])}`;
    return isDigest(digest) ? digest : null;
  };
  const from = { source: input('source'), lock: input('lock'), base: input('base') };
  return { slipway: 1, ...parts, from, publisher: null };
}

/** Whether a statement is about one wheel alone, with these bytes. */
export function isStatementOf(text: string, { file, digest }: Pick<IndexEntry, 'file' | 'digest'>): boolean {
  const [subject, ...more] = listOf(objectIn(text)?.['subject']).map(objectOf);
  if (subject === undefined || more.length > 0 || subject['name'] !== file) return false;
  return objectOf(subject['digest'])['sha256'] === hexOf(digest);
}

const objectOf = (value: unknown): Fields => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
