import type { Checkout, CommitFiles } from '../../model/checkout.js';
import type { Json, JsonObject } from '../../model/json.js';

/** One folder of a checkout. Paths are relative to it. */
export interface Folder<C = Checkout> {
  readonly path: string;
  readonly checkout: C;
}
type Files = Folder<CommitFiles>;

/** Folders without releasable projects: state, build output, third-party code, tests. So are those far below the top. */
const LEFT_OUT =
  /(^|\/)(\.[^/]*|node_modules|build|dist|target|venv|env|__pycache__|tests?|testing|docs?|examples?|samples?|benchmarks?|third[_-]?party|vendor|extern|external|subprojects)\//;
const DEEPEST = 4;
export const isLeftOut = (path: string): boolean => LEFT_OUT.test(path) || path.split('/').length > DEEPEST + 1;

export const inFolder = ({ path }: Pick<Files, 'path'>, file: string): string =>
  path === '' ? file : `${path}/${file}`;
export const textOf = (folder: Files, file: string): string | null =>
  folder.checkout.texts[inFolder(folder, file)] ?? null;
export const tomlOf = (folder: Files, file: string): JsonObject | null =>
  folder.checkout.toml[inFolder(folder, file)] ?? null;
export function pathsOf(folder: Files): readonly string[] {
  const top = inFolder(folder, '');
  return folder.checkout.paths.flatMap((path) => (path.startsWith(top) ? [path.slice(top.length)] : []));
}
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
