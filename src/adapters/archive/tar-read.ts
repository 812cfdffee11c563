import { spawn } from 'node:child_process';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import type { Member } from '../../activities/source/ports.js';
import type { Entry } from './entry.js';
import type { Meter } from './limits.js';

const KINDS: Readonly<Record<string, Member['kind']>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'link',
  link: 'hardlink',
};

/** Up to this size one read is faster than a stream on the thread pool. */
const SMALL_BYTES = 1 << 16;

/** Yields the members of a tar file in order. The first bytes decide the compression, not the file name.
 * @param meter counts all bytes, also of skipped members */
export async function* tarEntries(path: string, magic: Buffer, meter: Meter): AsyncGenerator<Entry> {
  const unpacked = decompressed(path, magic);
  const tar = extract();
  unpacked.on('data', (piece: Buffer) => {
    try {
      meter.bytes(piece.length);
    } catch (error) {
      unpacked.destroy(error as Error);
    }
  });
  unpacked.on('error', (error) => tar.destroy(error));
  unpacked.pipe(tar);
  for await (const entry of tar) {
    const { name, type, linkname, size, mode, mtime } = entry.header;
    yield {
      member: {
        name,
        kind: KINDS[type ?? 'file'] ?? 'other',
        target: linkname ?? null,
        size: size ?? 0,
        mtime: Math.floor((mtime?.getTime() ?? 0) / 1000),
      },
      executable: ((mode ?? 0) & 0o100) !== 0,
      bytes: entry as unknown as AsyncIterable<Uint8Array>,
    };
    entry.resume();
  }
}

function decompressed(path: string, magic: Buffer): Readable {
  const file = statSync(path).size > SMALL_BYTES ? createReadStream(path) : Readable.from(readFileSync(path));
  if (magic[0] === 0x1f && magic[1] === 0x8b) return piped(file, createGunzip());
  if (magic.subarray(0, 3).toString() === 'BZh') return through('bzip2', file);
  if (magic.subarray(1, 5).toString() === '7zXZ') return through('xz', file);
  return file;
}

function piped<T extends NodeJS.ReadWriteStream & Readable>(file: Readable, to: T): T {
  file.on('error', (error) => to.destroy(error));
  file.pipe(to);
  return to;
}

/** Node has neither bzip2 nor xz, so Debian's programs decompress. */
function through(program: string, file: Readable): Readable {
  const child = spawn(program, ['-dc'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.on('error', (error) => child.stdout.destroy(error));
  child.on('exit', (code) => code && child.stdout.destroy(new Error(`${program} ended with ${code}`)));
  child.stdin.on('error', () => undefined);
  file.pipe(child.stdin);
  return child.stdout;
}
