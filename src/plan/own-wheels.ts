import type { ReleaseFile } from '../model/schema/release-file.js';
import type { Wheel } from '../model/schema/sections/builds.js';

type Wheels = Pick<ReleaseFile, 'wheels'>;

/** Wheels of the file without entries that import. */
export const ownWheels = ({ wheels }: Wheels): readonly (readonly [name: string, wheel: Wheel])[] =>
  Object.entries(wheels).flatMap(([name, wheel]) => ('import' in wheel ? [] : [[name, wheel] as const]));

/** Returns a wheel of the file. Null without one, or if the entry imports. */
export function ownWheel({ wheels }: Wheels, name: string): Wheel | null {
  const wheel = Object.hasOwn(wheels, name) ? wheels[name]! : null;
  return wheel === null || 'import' in wheel ? null : wheel;
}
