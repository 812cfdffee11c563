import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { close, constants, existsSync, mkdtempSync, openSync } from 'node:fs';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startOf } from './identity.js';

/** Pipes per `mkfifo`: one program for each pipe would cost more than most commands do. */
const AT_ONCE = 64;

/** A named pipe, open for reading. `stream` starts reading; before a writer opens the pipe, a read returns EOF. */
export interface Pipe {
  readonly path: string;
  stream(): Socket;
  /** Closes a pipe that no program uses. */
  close(): void;
}

/** Named pipes for programs' output. Node's own pipes are sockets, which cannot be opened by name: `echo … >
 * /dev/stderr` would fail. The runner removes each name after opening it, and the folder at its end; `sweepPipes`
 * cleans up after a killed runner. */
export class Pipes {
  private folder: string | null = null;
  private readonly ready: string[] = [];
  private making: Promise<void> | null = null;

  async take(): Promise<Pipe> {
    for (;;) {
      while (this.ready.length === 0) await (this.making ??= this.make().finally(() => (this.making = null)));
      const path = this.ready.pop()!;
      const fd = opened(path);
      if (fd === null) continue;
      return {
        path,
        stream: () => new Socket({ fd, readable: true, writable: false }),
        close: () => close(fd, () => undefined),
      };
    }
  }

  private async make(): Promise<void> {
    if (this.folder === null || !existsSync(this.folder))
      this.folder = mkdtempSync(join(tmpdir(), `slipway-${process.pid}-`));
    const { folder } = this;
    const paths = Array.from({ length: AT_ONCE }, () => join(folder, randomUUID()));
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
    this.ready.push(...paths);
  }
}

/** Null if the pipe is gone: an ending runner removes the folder, and so may a cleaner of temporary files. */
function opened(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Folder names from `make`, with the worker's pid. */
const OURS = /^slipway-([1-9]\d{0,9})-[A-Za-z0-9]{6}$/;

/** Removes pipe folders of dead workers. A folder with anything but pipes belongs to another program. Nobody else can
 * exchange a folder of ours in /tmp, which is sticky; a folder of another user is left alone.
 * @returns number of removed folders */
export async function sweepPipes(temporary = tmpdir()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(temporary).catch((): string[] => [])) {
    const pid = OURS.exec(name)?.[1];
    if (pid === undefined || startOf(Number(pid)) !== null) continue;
    const folder = join(temporary, name);
    const found = await lstat(folder).catch(() => null);
    if (found === null || !found.isDirectory() || found.uid !== process.getuid?.()) continue;
    const held = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (held === null || !held.every((one) => one.isFIFO())) continue;
    // Fails if another worker was faster.
    const gone = await Promise.all(held.map((one) => unlink(join(folder, one.name))))
      .then(() => rmdir(folder))
      .then(
        () => true,
        () => false,
      );
    removed += gone ? 1 : 0;
  }
  return removed;
}
