import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { faultOf } from '../../engine/checks/archive.js';
import { type Linked, linksOf } from '../../model/python/links.js';
import { fail } from '../../model/failure.js';
import { type Links, MOST_RECORD_BYTES } from '../../model/python/index-entry.js';
import { parseWheelName } from '../../model/python/file-name.js';
import { filesUnder } from '../files-under.js';
import { readElf } from '../natives/elf.js';
import type { Item } from '../publish/ports.js';
import type { Member, PlaceMember } from '../source/ports.js';
import { newFolder } from '../step/inside.js';
import type { Work } from '../work.js';
import { metadataAbsent, metadataNotText, metadataTooLong, metadataTwice } from './errors.js';
import type { ListingPorts } from './ports.js';

/** METADATA holds a readme. The longest of public indexes have less than 2 MB. */
const MOST_METADATA_BYTES = 16 * 2 ** 20;
/** An entry is read whole, so its links have at most half of its room. */
const MOST_LINKS_CHARACTERS = MOST_RECORD_BYTES / 2;

/** Facts in a wheel that its entry has. */
export interface Inside {
  /** METADATA, byte for byte. */
  readonly metadata: string;
  /** Null: they have no room in an entry. */
  readonly links: Links | null;
}

/** Fetches a wheel and reads it as `insideOf` does. */
export async function lookInside(
  work: Pick<Work, 'fetch' | 'folder'>,
  ports: Pick<ListingPorts, 'archives'>,
  { artifact }: Item,
): Promise<Inside> {
  const wheel = await work.fetch(artifact, newFolder(work, 'listed'));
  return insideOf(ports, { file: artifact.name, wheel, folder: newFolder(work, 'inside') });
}

interface LocalWheel {
  /** Name of the wheel. */
  readonly file: string;
  /** Path of its bytes. */
  readonly wheel: string;
  /** Empty: takes what is unpacked. */
  readonly folder: string;
}

/** Reads a wheel without importing it. Throws WHEEL_METADATA_… or ARCHIVE_UNSAFE. */
export async function insideOf(
  { archives }: Pick<ListingPorts, 'archives'>,
  { file, wheel, folder }: LocalWheel,
): Promise<Inside> {
  const isPure = parseWheelName(file)?.platforms.every((tag) => tag === 'any') === true;
  const found: Member[] = [];
  await archives.unpack(wheel, folder, (member) => {
    if (!METADATA.test(member.name)) return isPure || member.kind !== 'file' ? null : placed(member);
    found.push(member);
    return found.length === 1 && member.size <= MOST_METADATA_BYTES ? 'METADATA' : null;
  });
  if (found.length > 1) throw fail(metadataTwice(file));
  if (found.some(({ size }) => size > MOST_METADATA_BYTES)) throw fail(metadataTooLong(file, MOST_METADATA_BYTES));
  const links = linksOf(isPure ? [] : await linkedIn(await filesUnder(join(folder, FILES)).catch(() => [])));
  const hasRoom = JSON.stringify(links).length <= MOST_LINKS_CHARACTERS;
  return { metadata: await textOf(join(folder, 'METADATA'), file), links: hasRoom ? links : null };
}

const METADATA = /^[^/]+\.dist-info\/METADATA$/;
const FILES = 'files';

function placed(member: Member): ReturnType<PlaceMember> {
  const fault = faultOf(member);
  return fault === null ? `${FILES}/${member.name}` : { refuse: fault };
}

/** The sidecar has the wheel's own bytes. Text that is no UTF-8 would be changed. */
async function textOf(path: string, file: string): Promise<string> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) throw fail(metadataAbsent(file));
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw fail(metadataNotText(file));
  return text;
}

/** Returns the facts of the ELF files among some files. */
export async function linkedIn(paths: readonly string[]): Promise<readonly Linked[]> {
  const found: Linked[] = [];
  for (const path of paths) {
    const elf = await readElf(path);
    if (elf === null || elf === 'broken') continue;
    const { soname, needed, requires, defines } = elf;
    found.push({ file: basename(path), soname, needed, requires, defines });
  }
  return found;
}
