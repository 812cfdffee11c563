import type { Axes, Queue } from '../model/ids.js';
import type { Cross, PlatformFacts } from '../model/platform.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';

interface Crossing {
  readonly cross?: Cross | undefined;
  readonly on?: Queue | undefined;
}

/** The queue, compiler and platform of a variant. */
export interface Aim {
  readonly on: Queue;
  readonly cross: Cross | null;
  readonly for: PlatformFacts;
}

/** Default floors of cross builds: manylinux2014, and the first macOS on arm64. */
const USUAL_FLOORS = { glibc: '2.17', macos: '11.0' } as const;

/** `cross:` is for platforms that are not the queue's own: those are built by the machine's own compiler. */
export function aimOf(entry: Crossing, axes: Axes, path: Path, context: Context): Aim {
  const platform = context.platformFacts(axes);
  const on = entry.cross === undefined ? context.queueOf(axes, entry.on, path) : (entry.on ?? context.mainQueue);
  const queue = entry.cross === undefined ? on : context.queueOf({}, on, path);
  if (entry.cross === undefined || platform.name === queue) return { on: queue, cross: null, for: platform };
  if (!reaches(entry.cross, platform)) {
    context.complain(problems.crossCannot(context.at([...path, 'cross']), entry.cross, platform.name));
  }
  return { on: queue, cross: entry.cross, for: entry.cross === 'zig' ? withFloor(platform) : platform };
}

const reaches = (cross: Cross, { os }: PlatformFacts): boolean =>
  os === 'linux' || os === '' || (cross === 'zig' && os === 'macos');

/** zig is told which C library to build for; gcc builds for the one that it came with. */
function withFloor(platform: PlatformFacts): PlatformFacts {
  if (platform.libc !== null) return platform;
  const name = platform.os === 'macos' ? 'macos' : 'glibc';
  return { ...platform, libc: { name, floor: USUAL_FLOORS[name] } };
}

/** Programs that a build by the machine's own compiler, or by another one, asks of its queue. */
export function compilers({ cross, for: platform }: Aim): readonly string[] {
  if (cross === null) return ['gcc'];
  return [cross === 'zig' ? 'zig' : `${platform.arch}-linux-gnu-gcc`];
}
