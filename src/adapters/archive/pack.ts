import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Header as EveryHeader, pack as tarPack, type Pack } from 'tar-stream';

/** tar-stream accepts partial headers; its types do not say so. */
type Header = Pick<EveryHeader, 'name'> & Partial<EveryHeader>;
const full = (header: Header): EveryHeader => header as EveryHeader;

/** Packs a folder reproducibly: equal trees give equal bytes. Node's gzip header has time 0, no name and a fixed system
 * byte.
 * @param options.epoch mtime of all members, seconds, UTC */
export async function pack(folder: string, to: string, options: { epoch: number; top?: string }): Promise<void> {
  const tar = tarPack();
  const written = to.endsWith('gz')
    ? pipeline(tar, createGzip({ level: 9 }), createWriteStream(to))
    : pipeline(tar, createWriteStream(to));
  await Promise.all([written, fill(tar, folder, options)]);
}

/** Packs a folder into a tar, and ends it. An error also destroys the tar. */
export async function fill(tar: Pack, folder: string, { epoch, top }: { epoch: number; top?: string }): Promise<void> {
  try {
    const base = { uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(epoch * 1000) };
    if (top) await done(tar, { ...base, name: `${top}/`, type: 'directory', mode: 0o755 });
    for (const relative of await tree(folder))
      await add(tar, folder, relative, top ? `${top}/${relative}` : relative, base);
    tar.finalize();
  } catch (error) {
    tar.destroy(error as Error);
    throw error;
  }
}

async function tree(folder: string, below = ''): Promise<string[]> {
  const found: string[] = [];
  for (const item of await readdir(join(folder, below), { withFileTypes: true })) {
    const relative = below ? `${below}/${item.name}` : item.name;
    found.push(relative);
    if (item.isDirectory()) found.push(...(await tree(folder, relative)));
  }
  return below ? found : found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

async function add(tar: Pack, folder: string, relative: string, name: string, base: Partial<Header>): Promise<void> {
  const path = join(folder, relative);
  const stat = await lstat(path);
  if (stat.isDirectory()) return done(tar, { ...base, name: `${name}/`, type: 'directory', mode: 0o755 });
  if (stat.isSymbolicLink())
    return done(tar, { ...base, name, type: 'symlink', linkname: await readlink(path), mode: 0o777 });
  if (!stat.isFile()) return;
  const mode = stat.mode & 0o100 ? 0o755 : 0o644;
  const entry = tar.entry(full({ ...base, name, type: 'file', mode, size: stat.size }));
  await pipeline(createReadStream(path), entry);
}

const done = (tar: Pack, header: Header): Promise<void> =>
  new Promise((resolve, reject) => {
    tar.entry(full(header), (error) => (error ? reject(error) : resolve()));
  });
