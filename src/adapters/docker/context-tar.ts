import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import { fill } from '../archive/pack.js';

/** Packs a folder reproducibly, so that equal files hit the build cache.
 * @param epoch seconds since 1970 */
export function packFolder(folder: string, epoch: number): Pack {
  const tar = pack();
  fill(tar, folder, { epoch }).catch(() => undefined); // the reader of the tar gets the error
  return tar;
}

export function packRootfs(path: string): Pack {
  const tar = pack();
  const dockerfile = 'FROM scratch\nADD rootfs.tar /\n';
  const written = async (): Promise<void> => {
    tar.entry({ name: 'Dockerfile', mtime: new Date(0) }, dockerfile);
    const { size } = await stat(path);
    await pipeline(createReadStream(path), tar.entry({ name: 'rootfs.tar', mtime: new Date(0), size }));
    tar.finalize();
  };
  written().catch((error: Error) => tar.destroy(error));
  return tar;
}
