import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `<home>/workers/<name>.ready` with `{pid}`, present while a worker polls. */
export function createReadyFile(home: string, name: string, more: object = {}): { write(): void; remove(): void } {
  const path = join(home, 'workers', `${name}.ready`);
  return {
    write() {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify({ pid: process.pid, ...more }));
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
