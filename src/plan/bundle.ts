import { namedFiles } from '../model/named-files.js';
import { order } from '../model/order.js';
import type { BundleFile, Step } from '../model/plan.js';
import { trimmedEnd } from '../model/trim.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import { filesIn } from './text.js';

/** Converts a path below the release file's folder to a path in the bundle. */
const inBundle = (path: string): string => trimmedEnd(path.replace(/^\.\//, ''), '/');

function exists(path: string, context: Context): boolean {
  return (
    path === '' ||
    path === '.' ||
    context.facts.bundle.some((file) => file.path === path || file.path.startsWith(`${path}/`))
  );
}

/** Returns the bundle path of a file or folder that the release file names. An absent one is a problem. */
export function bundlePath(path: string, at: Path, context: Context): string {
  const clean = inBundle(path);
  const known = context.facts.bundle.map((file) => file.path);
  if (!exists(clean, context)) context.complain(problems.bundleFile(context.at(at), path, known, clean));
  return clean === '.' ? '' : clean;
}

/** A file's path, or a folder's path with `/`, so that it matches no sibling with the same beginning. */
export const prefixOf = (path: string, context: Context): string =>
  path === '' || context.facts.bundle.some((file) => file.path === path) ? path : `${path}/`;

/** Prefixes of the bundle that a step reads: those of `files:`, else those that its texts name by `{files}`. */
export function readFiles(
  said: readonly string[] | undefined,
  texts: readonly (string | null | undefined)[],
  at: Path,
  context: Context,
): readonly string[] {
  const named = texts.flatMap((text) => filesIn(text ?? ''));
  const key = said ? 'files' : 'run';
  return [...(said ?? []), ...named].map((path) => prefixOf(bundlePath(path, [...at, key], context), context));
}

/** Every file but the release file and profiles, whose content is in the plan. */
export const restOfBundle = (context: Context): readonly string[] =>
  context.facts.bundle
    .map((file) => file.path)
    .filter((path) => path !== context.facts.releaseFile && !path.startsWith('profiles/'));

/** Returns the files that steps and listeners read, by path. Another file beside the release file changes no plan. */
export const filesRead = (bundle: readonly BundleFile[], readers: readonly Pick<Step, 'files'>[]) =>
  [...namedFiles(bundle, [...new Set(readers.flatMap(({ files }) => files))])].sort((a, b) => order(a.path, b.path));
