import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '../../model/params.js';
import type { Cross, PlatformFacts } from '../../model/platform.js';
import { newFolder } from '../step/inside.js';
import type { Work } from '../work.js';
import { findZig, zigTarget, fillZig } from './zig.js';

type Tools = Readonly<Record<'CC' | 'CXX' | 'AR' | 'RANLIB', string>>;

/** Writes compiler wrappers into the step's folder that build for `platform` on this machine. Build backends and
 * commands read them as $CC. Returns CC, CXX, AR, RANLIB and CROSS_TARGET. The wrappers drop debug information and
 * paths of this machine, so that builds are reproducible. */
export async function crossTools(work: Work, cross: Cross, platform: PlatformFacts): Promise<Env> {
  const folder = newFolder(work, 'cross');
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

/** Build systems pass library folders and run paths of this machine's Python, which are wrong for the target: the
 * wrapper drops them. It rotates the arguments in place, so that spaces in them survive. */
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
