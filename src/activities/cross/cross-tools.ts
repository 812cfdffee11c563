import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '../../model/params.js';
import type { Cross, PlatformFacts } from '../../model/platform.js';
import type { Work } from '../work.js';
import { fillZig } from './fill-zig.js';
import { findZig, zigTarget } from './zig.js';

/** What is asked of each tool, by its variable: a shell word list. */
type Tools = Readonly<Record<'CC' | 'CXX' | 'AR' | 'RANLIB', string>>;

/** CC, CXX, AR, RANLIB as programs in the step's own folder that build for `platform` on this machine: for build backends and
 * for plain commands that use $CC. What they make names no folder of this machine and has no debug information, so that it repeats. */
export async function crossTools(work: Work, cross: Cross, platform: PlatformFacts): Promise<Env> {
  const folder = join(work.folder, 'cross');
  await mkdir(folder, { recursive: true });
  const tools = cross === 'zig' ? await zigTools(work, platform) : gccTools(platform);
  const made = await Promise.all(
    Object.entries(tools).map(async ([variable, line]): Promise<[string, string]> => {
      const path = join(folder, variable.toLowerCase());
      await writeFile(path, variable.startsWith('C') ? compiler(line) : plain(line));
      await chmod(path, 0o755);
      return [variable, path];
    }),
  );
  return { ...Object.fromEntries(made), CROSS_TARGET: cross === 'zig' ? zigTarget(platform) : gccPrefix(platform) };
}

async function zigTools(work: Work, platform: PlatformFacts): Promise<Tools> {
  const found = await findZig(work);
  await fillZig(work, found, zigTarget(platform));
  const zig = `'${found}'`;
  // Without -O zig adds checks that stop the program at undefined behaviour; other compilers do not.
  const target = `-target ${zigTarget(platform)} -fno-sanitize=undefined`;
  return { CC: `${zig} cc ${target}`, CXX: `${zig} c++ ${target}`, AR: `${zig} ar`, RANLIB: `${zig} ranlib` };
}

const gccPrefix = ({ arch }: PlatformFacts): string => `${arch}-linux-gnu`;

function gccTools(platform: PlatformFacts): Tools {
  const tool = (name: string): string => `${gccPrefix(platform)}-${name}`;
  return { CC: tool('gcc'), CXX: tool('g++'), AR: tool('ar'), RANLIB: tool('ranlib') };
}

const plain = (line: string): string => `#!/bin/sh\nexec ${line} "$@"\n`;

/** Build systems hand over the library folders and run paths of the machine's own Python: nothing in them is for the target.
 * The arguments are walked through in place, so that spaces in them survive. */
const compiler = (line: string): string => `#!/bin/sh
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case "$argument" in
    -L/* | -Wl,-rpath* | -Wl,-R* | -Wl,--enable-new-dtags | -Wl,--build-id*) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec ${line} "$@" -g0
`;
