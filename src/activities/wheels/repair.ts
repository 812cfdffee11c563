import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { judgeNative } from '../../engine/checks/native.js';
import { fail, type Problem } from '../../model/failure.js';
import { parseWheelName } from '../../model/python/file-name.js';
import type { PlatformFacts } from '../../model/platform.js';
import type { Archives } from '../source/ports.js';
import type { Interpreter } from '../pythons/ports.js';
import { newFolder } from '../step/inside.js';
import { installPinned, makeVenv } from '../step/uv.js';
import { toolsFolder } from '../tools-folder.js';
import type { Work } from '../work.js';
import { refused, repairFailed } from './errors.js';
import { lookAtNatives } from './look/look.js';
import type { BuildEnv } from './build-env.js';
import type { BuildLocation } from './builders.js';

type Build = Work<'buildWheel'>;

interface Repairing {
  readonly place: BuildLocation;
  readonly pythonWork: Build;
  readonly env: Pick<BuildEnv, 'interpreter'>;
}

/** Repairs a Linux wheel by auditwheel: copies its libraries in and sets its platform tag. Pure wheels stay unchanged.
 * So do wheels for macOS, whose tags are already correct.
 * @param pythonWork runs programs where the Python of the build is */
export async function repairWheel(
  work: Build,
  archives: Archives,
  { place, pythonWork, env: { interpreter } }: Repairing,
  wheel: string,
): Promise<string> {
  const { repair, for: platform } = work.step.params;
  const name = parseWheelName(basename(wheel));
  const plain = name === null || name.platforms.every((tag) => !tag.startsWith('linux_'));
  if (repair === null || plain || platform.os !== 'linux') return wheel;
  const out = newFolder(work, 'repaired');
  const excludes = repair.exclude.flatMap((library) => ['--exclude', library]);
  const program = await auditwheelOf(pythonWork, interpreter);
  const code = await place.run([...program, 'repair', ...excludes, ...promised(platform), '--wheel-dir', out, wheel], {
    cwd: work.folder,
    env: work.env(),
  });
  const [made] = await readdir(out);
  if (code === 0 && made !== undefined) return join(out, made);
  const wrong = await wrongCode(work, archives, wheel);
  throw fail(wrong.length > 0 ? wrong : [repairFailed(basename(wheel), work.log.tail(30))]);
}

/** Returns the command of auditwheel. That of Slipway's tools needs the worker's Python; a container with its own Python gets
 * one for that. */
async function auditwheelOf(pythonWork: Build, interpreter: Interpreter): Promise<readonly string[]> {
  const { ownPython, cross, for: platform } = pythonWork.step.params;
  if (!ownPython) return cross === null ? ['auditwheel'] : auditwheelFor(pythonWork, platform.arch);
  const folder = join(pythonWork.folder, 'repairing');
  const python = join(folder, 'bin', 'python');
  await makeVenv(pythonWork, interpreter.path, folder);
  await installPinned(pythonWork, { python, isFilled: false }, 'auditwheel', 'auditwheel');
  return [python, '-m', 'auditwheel'];
}

/** Explains a failure of auditwheel. It ignores code for another machine, and does not name members that need a newer C
 * library. */
async function wrongCode(work: Build, archives: Archives, wheel: string): Promise<readonly Problem[]> {
  const { for: platform } = work.step.params;
  const natives = await lookAtNatives(archives, wheel, newFolder(work, 'unrepaired'));
  const findings = natives.flatMap(({ member, facts }) => judgeNative(member, facts, platform));
  return findings.filter(({ level }) => level === 'error').map(refused);
}

/** auditwheel repairs wheels of other machines, but its command line accepts only tags of its own machine. */
const AS_ON = `import platform, sys
machine = sys.argv.pop(1)
platform.machine = lambda: machine
sys.argv[0] = 'auditwheel'
from auditwheel.main import main
sys.exit(main())`;

function auditwheelFor(work: Work, arch: string): readonly string[] {
  return [join(toolsFolder(work.env()), 'python'), '-c', AS_ON, arch];
}

/** A platform with a promised C library gets exactly that tag, others the oldest that fits. */
const promised = ({ arch, libc }: PlatformFacts): readonly string[] =>
  libc?.name === 'glibc' ? ['--plat', `manylinux_${libc.floor.replace('.', '_')}_${arch}`, '--only-plat'] : [];
