import {
  chmodSync,
  closeSync,
  createWriteStream,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, lstat, mkdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Member, PlaceMember } from '../../activities/source/ports.js';
import { fail } from '../../model/failure.js';
import { archiveUnsafe } from './errors.js';
import type { Entry } from './entry.js';
import { leadsOut } from './leads-out.js';
import { createMeter, type Meter } from './limits.js';
import { refuse } from './refuse.js';
import { tarEntries } from './tar-read.js';
import { zipEntries } from './zip-read.js';

/** Up to this size one write is faster than a stream on the thread pool. */
const SMALL_BYTES = 1 << 16;

interface Link {
  readonly name: string;
  readonly at: string;
  readonly target: string;
}

export async function unpack(path: string, into: string, place: PlaceMember): Promise<void> {
  await mkdir(into, { recursive: true });
  const root = await realpath(into);
  try {
    const links = await unpackFiles(path, root, place);
    for (const link of links) await makeLink(path, root, link);
    for (const link of links) await mustStayInside(path, root, link);
  } catch (error) {
    refuse(path, error);
  }
}

function placeOf(path: string, member: Member, place: PlaceMember): string | null {
  const answer = place(member);
  if (answer === null || typeof answer === 'string') return answer;
  throw fail(archiveUnsafe(basename(path), member.name, answer.refuse));
}

/** Returns the links unmade: no file may be written through a link of the archive. */
async function unpackFiles(path: string, root: string, place: PlaceMember): Promise<Link[]> {
  const links: Link[] = [];
  const meter = createMeter(basename(path), (await stat(path)).size);
  for await (const entry of entriesOf(path, meter)) {
    meter.member(entry.member.name);
    const relative = placeOf(path, entry.member, place);
    if (relative === null) continue;
    const at = join(root, relative);
    if (!at.startsWith(root + sep))
      throw fail(archiveUnsafe(basename(path), entry.member.name, 'leads out of the archive'));
    if (entry.member.kind === 'link') links.push({ name: entry.member.name, at, target: entry.member.target ?? '' });
    else await write(path, entry, at, root, place);
  }
  return links;
}

async function write(path: string, entry: Entry, at: string, root: string, place: PlaceMember): Promise<void> {
  if (entry.member.kind === 'folder') return void mkdirSync(at, { recursive: true });
  mkdirSync(dirname(at), { recursive: true });
  rmSync(at, { force: true });
  if (entry.member.kind === 'hardlink') {
    const first = placeOf(path, { ...entry.member, kind: 'file', name: entry.member.target ?? '' }, place);
    if (first !== null) await copyFile(join(root, first), at);
    return;
  }
  if (entry.member.size > SMALL_BYTES) await pipeline(entry.bytes, createWriteStream(at));
  else await writeSmall(entry, at);
  chmodSync(at, entry.executable ? 0o755 : 0o644);
  // Build systems compare modification times of sources and outputs.
  utimesSync(at, entry.member.mtime, entry.member.mtime);
}

async function writeSmall({ bytes }: Entry, at: string): Promise<void> {
  const file = openSync(at, 'w');
  try {
    for await (const piece of bytes) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

async function makeLink(path: string, root: string, link: Link): Promise<void> {
  await mkdir(dirname(link.at), { recursive: true });
  const parent = await realpath(dirname(link.at));
  if (parent !== dirname(link.at) && !(parent + sep).startsWith(root + sep)) throw fail(outside(path, link));
  if ((await lstat(link.at).catch(() => null))?.isDirectory()) {
    throw fail(archiveUnsafe(basename(path), link.name, 'is a link and a folder at once'));
  }
  await rm(link.at, { force: true });
  await symlink(link.target, link.at);
}

/** Links that are harmless alone can lead out as a chain, also to a path that does not exist yet. */
async function mustStayInside(path: string, root: string, link: Link): Promise<void> {
  if (await leadsOut(root, link.at)) throw fail(outside(path, link));
}

const outside = (path: string, link: Link) =>
  archiveUnsafe(basename(path), link.name, `is a link out of the archive, to ${link.target}`);

function entriesOf(path: string, meter: Meter): AsyncGenerator<Entry> {
  const magic = firstBytes(path);
  return magic.subarray(0, 2).toString() === 'PK' ? zipEntries(path, meter) : tarEntries(path, magic, meter);
}

function firstBytes(path: string): Buffer {
  const magic = Buffer.alloc(6);
  const file = openSync(path, 'r');
  try {
    readSync(file, magic, 0, 6, 0);
  } finally {
    closeSync(file);
  }
  return magic;
}
