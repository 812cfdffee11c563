import type { Checkout } from '../../model/checkout.js';
import type { Json, JsonObject } from '../../model/json.js';

/** One folder of a checkout. Paths are relative to it. */
export interface Folder {
  readonly path: string;
  readonly checkout: Checkout;
}

export const inFolder = ({ path }: Folder, file: string): string => (path === '' ? file : `${path}/${file}`);
export const textOf = (folder: Folder, file: string): string | null =>
  folder.checkout.texts[inFolder(folder, file)] ?? null;
export const tomlOf = (folder: Folder, file: string): JsonObject | null =>
  folder.checkout.toml[inFolder(folder, file)] ?? null;
export const has = (folder: Folder, file: string): boolean => folder.checkout.paths.includes(inFolder(folder, file));

/** Reads a value inside parsed TOML by its keys. Undefined if a key is absent. */
export const at = (value: Json | undefined | null, ...keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>(
    (now, key) =>
      typeof now === 'object' && now !== null && !Array.isArray(now) && Object.hasOwn(now, key)
        ? (now as JsonObject)[key]
        : undefined,
    value ?? undefined,
  );

export const textAt = (value: Json | undefined | null, ...keys: readonly string[]): string | null => {
  const found = at(value, ...keys);
  return typeof found === 'string' && found !== '' ? found : null;
};

export const listAt = (value: Json | undefined | null, ...keys: readonly string[]): readonly string[] | null => {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : null;
};

/** Returns the first group of the first match. Null without one. */
export const matched = (text: string | null, pattern: RegExp): string | null =>
  text === null ? null : (pattern.exec(text)?.[1] ?? null);
