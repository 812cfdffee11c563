import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';

/** Packs a folder reproducibly, so that equal files hit the build cache.
 * @param epoch seconds since 1970 */
export function packFolder(folder: string, epoch: number): Pack {
  const tar = pack();
  walk(tar, folder, '', new Date(epoch * 1000)).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return tar;
}

async function walk(tar: Pack, folder: string, under: string, mtime: Date): Promise<void> {
  for (const name of (await readdir(join(folder, under))).sort()) {
    const path = under ? `${under}/${name}` : name;
    const seen = await lstat(join(folder, path));
    const header = { name: path, mtime, uid: 0, gid: 0 };
    if (seen.isDirectory()) {
      tar.entry({ ...header, type: 'directory', mode: 0o755 });
      await walk(tar, folder, path, mtime);
    } else if (seen.isSymbolicLink()) {
      tar.entry({ ...header, type: 'symlink', linkname: await readlink(join(folder, path)) });
    } else {
      const mode = seen.mode & 0o111 ? 0o755 : 0o644;
      await pipeline(createReadStream(join(folder, path)), tar.entry({ ...header, mode, size: seen.size }));
    }
  }
}

export function packRootfs(path: string): Pack {
  const tar = pack();
  const dockerfile = 'FROM scratch\nADD rootfs.tar /\n';
  const written = async (): Promise<void> => {
    tar.entry({ name: 'Dockerfile', mtime: new Date(0) }, dockerfile);
    const { size } = await lstat(path);
    await pipeline(createReadStream(path), tar.entry({ name: 'rootfs.tar', mtime: new Date(0), size }));
    tar.finalize();
  };
  written().catch((error: Error) => tar.destroy(error));
  return tar;
}
