import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './child.mjs';
import { noGo } from './problem.mjs';

/** The Temporal server's module asks for a newer Go than Debian's; it comes from the module proxy. Both servers take it, so that its
 * library is compiled once. */
export const TOOLCHAIN = 'go1.26.11';
/** One package at a time: several would take gigabytes of memory. */
const GOFLAGS = '-p=1 -buildvcs=false';
/** No debug information and no paths of this machine: the linker then has half of the work. */
const LEAN = ['-trimpath', '-ldflags=-s -w'];

export const goFolder = (root) => join(root, '.tools', 'go', 'bin');

/** Builds a server into .tools/go/bin. Throws GO_MISSING with `what` and `next` where no Go is on PATH. @param argv of
 * `go` in the folder `cwd` */
export async function goBuild(root, [command, ...argv], { cwd = root, title, onLine, what, next }) {
  if (spawnSync('go', ['version']).error) throw noGo(what, next);
  const folder = goFolder(root);
  mkdirSync(folder, { recursive: true });
  const env = { GOBIN: folder, GOTOOLCHAIN: TOOLCHAIN, GOFLAGS };
  await quietly(title, ['go', command, ...LEAN, ...argv], { cwd, env, onLine });
}
