import type { Context } from './context.js';
import type { Path } from './errors.js';

/** Keys without effect on an entry. Both texts get the key. */
interface Idle<K extends string> {
  readonly keys: readonly K[];
  why(key: K): string;
  next(key: K): string;
}

/** Complains about each of these keys that differs from `usual`, an empty entry. */
export function refuseIdle<T extends object, K extends keyof T & string>(
  [entry, usual]: readonly [T, T],
  { keys, why, next }: Idle<K>,
  path: Path,
  context: Context,
): void {
  for (const key of keys)
    if (JSON.stringify(entry[key]) !== JSON.stringify(usual[key]))
      context.needsThat([...path, key], why(key), next(key));
}

interface WithAxes {
  readonly python?: 'none' | undefined;
  readonly platform?: 'none' | undefined;
  readonly pythons?: readonly string[] | undefined;
  readonly platforms?: readonly string[] | undefined;
  readonly matrix: Readonly<Record<string, readonly string[]>>;
}

/** Returns the axes that an entry lacks: `python: none`. Complains about values for such an axis. */
export function axesWithout(entry: WithAxes, path: Path, context: Context): readonly string[] {
  const without = (['python', 'platform'] as const).filter((axis) => entry[axis] !== undefined);
  for (const axis of without) {
    const named = [
      ...(entry[`${axis}s`] === undefined ? [] : [[`${axis}s`]]),
      ...(axis in entry.matrix ? [['matrix', axis]] : []),
    ];
    for (const keys of named)
      context.needsThat(
        [...path, ...keys],
        `"${axis}: none" makes one for all ${axis}s, so "${keys.join('.')}" has no effect`,
        'Take one of them away.',
      );
  }
  return without;
}
