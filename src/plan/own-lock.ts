import type { OwnLock } from '../model/wheel-params.js';
import type { Wheel } from '../model/schema/sections/builds.js';
import type { Context } from './context.js';
import type { Path } from './errors.js';
import { instantOf } from './entry.js';

/** Builders that a lock is the whole build environment of. */
const LOCKING: readonly Wheel['builder'][] = ['uv', 'build', 'pip'];

/** Returns how a wheel locks its own build requirements. Undefined without `lock`. */
export function ownLockOf({ lock, requires, cutoff }: Wheel): OwnLock | undefined {
  return lock === undefined ? undefined : { requires, cutoff: instantOf(cutoff) };
}

/** Complains about `lock` that has no effect, and about keys that have no effect without it. */
export function checkOwnLock(wheel: Wheel, path: Path, context: Context): void {
  const wrong = (key: string, why: string, next: string): void => context.needsThat([...path, key], why, next);
  if (wheel.lock === undefined) {
    const idle = [
      ...(wheel.requires.length > 0 ? ['requires'] : []),
      ...(wheel.cutoff === undefined ? [] : ['cutoff']),
    ];
    for (const key of idle)
      wrong(key, `"${key}" belongs to \`lock: own\``, `Write \`lock: own\`, or take \`${key}\` away.`);
    return;
  }
  if (!LOCKING.includes(wheel.builder))
    wrong(
      'lock',
      `builder ${wheel.builder} makes its own build environment`,
      `Write \`builder: uv\`, or take \`lock\` away.`,
    );
  if (wheel.needs.some((need) => need.startsWith('deps/')))
    wrong('lock', 'a lock among `needs` is the whole build environment', 'Take one of them away.');
}
