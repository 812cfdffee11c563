import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { wheelDefects, type HeldWheel, type WheelKey } from '../../engine/index/check.js';
import { derivedEntry } from '../../engine/index/derive-entry.js';
import { isFinding, readEntry } from '../../engine/index/read-record.js';
import { canonical } from '../../model/json.js';
import { SlipwayFailure } from '../../model/failure.js';
import { indexPaths, MOST_RECORD_BYTES, SIDECAR, STATEMENT, type IndexEntry } from '../../model/python/index-entry.js';
import type { Stored } from '../ports.js';
import { sha256 } from '../sha256.js';
import type { Archives } from '../source/ports.js';
import { fieldsOf } from '../wheels/look/metadata.js';
import { insideOf, type Inside } from './look-inside.js';
import type { CheckedPlace } from './ports.js';

export interface MendingPorts {
  readonly archives: Pick<Archives, 'unpack'>;
  /** Absolute path of a new empty folder. */
  readonly scratch: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Writes what can be derived of one wheel: its sidecar from its bytes, and its entry from its bytes and statement if both agree.
 * The wheel and its statement are never written. Returns true if something was written. */
export async function mendWheel(place: CheckedPlace, ports: MendingPorts, key: WheelKey): Promise<boolean> {
  if (hasLink(await place.links(), key)) return false;
  const wheel = await heldWheel(place, key);
  const repairs = new Set(wheelDefects(wheel).map(({ repair }) => repair));
  if (!repairs.has('sidecar') && !repairs.has('entry')) return false;
  const opened = await openWheel(place, ports, key);
  if (opened === null || opened.digest !== wheel.digest) return false;
  return repairs.has('entry') ? mendEntry(place, ports, key, opened) : mendSidecar(place, wheel, opened);
}

/** A link leads elsewhere: nothing is read or written behind one. */
function hasLink(links: readonly string[], { platform, project, file }: WheelKey): boolean {
  const path = indexPaths.file(platform, project, file);
  const own = [path, path + SIDECAR, path + STATEMENT, indexPaths.entry(platform, project, file)];
  return links.some((link) => own.some((one) => one === link || one.startsWith(`${link}/`)));
}

async function heldWheel(place: CheckedPlace, key: WheelKey): Promise<HeldWheel> {
  const { platform, project, file } = key;
  const path = indexPaths.file(platform, project, file);
  const at = indexPaths.entry(platform, project, file);
  const [digest, sidecar, statement, seen] = await Promise.all([
    place.digest(path),
    place.digest(path + SIDECAR),
    place.digest(path + STATEMENT),
    place.read(at, MOST_RECORD_BYTES),
  ]);
  const entry = seen === null ? null : readEntry(at, seen.text);
  return { ...key, digest, sidecar, statement, entry, isRemoved: false };
}

type OpenedWheel = Inside & Stored;

/** Copies a wheel out of the index and reads it. Null if it is gone, or is no wheel. */
async function openWheel(
  place: CheckedPlace,
  { archives, scratch }: MendingPorts,
  { platform, project, file }: WheelKey,
): Promise<OpenedWheel | null> {
  const wheel = join(await scratch(), file);
  const digest = await place.copy(indexPaths.file(platform, project, file), wheel);
  if (digest === null) return null;
  const inside = await insideOf({ archives }, { file, wheel, folder: await scratch() }).catch(unlessDamaged);
  return inside === null ? null : { ...inside, digest, size: (await stat(wheel)).size };
}

/** A wheel that no installer can read is left as it is. */
function unlessDamaged(error: unknown): null {
  if (error instanceof SlipwayFailure) return null;
  throw error;
}

async function mendSidecar(place: CheckedPlace, wheel: HeldWheel, { metadata }: OpenedWheel): Promise<boolean> {
  const { platform, project, file, entry } = wheel;
  if (entry === null || isFinding(entry) || entry.metadata !== sha256(metadata)) return false;
  return write(place, indexPaths.file(platform, project, file) + SIDECAR, metadata);
}

async function mendEntry(
  place: CheckedPlace,
  { now }: MendingPorts,
  { platform, project, file }: WheelKey,
  { digest, size, metadata, links }: OpenedWheel,
): Promise<boolean> {
  const path = indexPaths.file(platform, project, file);
  const statementText = (await place.read(path + STATEMENT, MOST_RECORD_BYTES))?.text ?? '';
  const entry: IndexEntry | null = derivedEntry({
    ...{ file, digest, size, statementText },
    ...(links !== null && { links }),
    requiresPython: fieldsOf(metadata.split(/\r?\n\r?\n/)[0]!, 'Requires-Python')[0] ?? null,
    metadata: sha256(metadata),
    statement: sha256(statementText),
    uploadTime: new Date(now()).toISOString().replace('Z', '000Z'),
  });
  if (entry === null) return false;
  await write(place, path + SIDECAR, metadata);
  return write(place, indexPaths.entry(platform, project, file), canonical(entry));
}

/** Creates or replaces a text. Returns false if another writer was first. */
async function write(place: CheckedPlace, path: string, text: string): Promise<boolean> {
  const seen = await place.read(path);
  return seen === null ? place.create(path, text) : seen.text === text || place.swap(path, text, seen);
}
