import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LibrarySaid {
  readonly file: string;
  readonly soname?: string;
  /** Symbol version of its function `sail`. */
  readonly version?: string;
  /** Path of a library whose function `sail` it calls. */
  readonly uses?: string;
}

/** Compiles a shared library. Returns its path. */
export function aLibrary({ file, soname, version, uses }: LibrarySaid, folder = newFolder()): string {
  const path = join(folder, file);
  const source = `${path}.c`;
  const script = `${path}.map`;
  writeFileSync(
    source,
    uses === undefined ? 'int sail(void) { return 1; }\n' : 'int sail(void); int boat(void) { return sail(); }\n',
  );
  if (version !== undefined) writeFileSync(script, `${version} { global: sail; local: *; };\n`);
  execFileSync('gcc', [
    ...['-shared', '-fPIC', '-nostdlib', '-o', path, source],
    ...(soname === undefined ? [] : [`-Wl,-soname,${soname}`]),
    ...(version === undefined ? [] : [`-Wl,--version-script=${script}`]),
    ...(uses === undefined ? [] : [uses]),
  ]);
  return path;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'slipway-library-'));
