import type { SourceLocation } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { Byod } from './byod.js';
import type { Compute } from './compute.js';

/** A release test of upstream: its keys merged and checked, and what its files say. Plain data, so that it can be stored. */
export interface RayTest {
  readonly name: string;
  readonly origin: SourceLocation;
  readonly full: Form;
  /** Null: it has no smoke test. */
  readonly smoke: Form | null;
  /** Keys of its smoke test that nothing reads. */
  readonly idle: readonly string[];
}

/** A test as it runs: in full, or with its smoke test merged over it. */
export interface Form {
  /** Upstream's keys. */
  readonly keys: JsonObject;
  /** Working folder inside the source. */
  readonly folder: string;
  readonly environment: string;
  /** Whether the commit has a file of that environment. */
  readonly isKnown: boolean;
  readonly project: string | null;
  readonly compute: Compute;
  /** Null: an image of no special contents. */
  readonly byod: Byod | null;
  /** Places of upstream's keys, by path: `run/timeout`. */
  readonly places: Readonly<Record<string, SourceLocation>>;
}

/** Ray's own defaults for keys that a test does not give. */
export const DEFAULT_PYTHON = '3.10';
export const DEFAULT_ENVIRONMENT = 'aws';

/** Returns a value of a test by its path: `cluster/byod/type`. Undefined if it has none. */
export function attribute(keys: JsonObject, path: string): unknown {
  let found: unknown = keys;
  for (const key of path.split('/'))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? (found as JsonObject)[key] : undefined;
  return found;
}

export const textIn = (keys: JsonObject, path: string): string | undefined => {
  const found = attribute(keys, path);
  return typeof found === 'string' ? found : undefined;
};
export const numberIn = (keys: JsonObject, path: string): number | undefined => {
  const found = attribute(keys, path);
  return typeof found === 'number' ? found : undefined;
};
