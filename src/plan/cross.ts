import type { Axes, Queue } from '../model/ids.js';
import type { Cross, PlatformFacts } from '../model/platform.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';

interface Crossing {
  readonly cross?: Cross | undefined;
  readonly on?: Queue | undefined;
}

export interface Aim {
  readonly on: Queue;
  readonly cross: Cross | null;
  readonly for: PlatformFacts;
}

/** Default floors of cross builds: manylinux2014, and the first macOS on arm64. */
const USUAL_FLOORS = { glibc: '2.17', macos: '11.0' } as const;

/** Applies `cross:` to platforms other than the queue's own. The machine's compiler builds its own platform. */
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

/** zig targets a chosen C library. gcc targets the one that it was built with. */
function withFloor(platform: PlatformFacts): PlatformFacts {
  if (platform.libc !== null) return platform;
  const name = platform.os === 'macos' ? 'macos' : 'glibc';
  return { ...platform, libc: { name, floor: USUAL_FLOORS[name] } };
}

/** Compilers that a build requires on its queue. A container has its own, but for zig, which the worker mounts into it. */
export function compilers({ cross, for: platform }: Aim, onHost: boolean): readonly string[] {
  const own = cross === null ? 'gcc' : cross === 'zig' ? 'zig' : `${platform.arch}-linux-gnu-gcc`;
  return [...(onHost ? [] : ['docker']), ...(onHost || cross === 'zig' ? [own] : [])];
}
