import type { CommitAsk, ImportFacts } from '../../../importers/asks.js';
import type { Problem } from '../../../model/failure.js';
import { problems } from './errors.js';
import type { Lock, LockedSpec } from './lock.js';

type Folders = Readonly<Record<string, string>>;

const repoFile = (folder: string): string => `${folder}/repo.yaml`;
/** Python code that recipes share. */
const shared = (folder: string): string => `${folder}/build_systems`;

/** Folder of a recipe. Repositories since API 2 name it as a Python module. */
function folderOf(name: string, folder: string, repo: string): string {
  const isModule = !/^\s*api:\s*v1/m.test(repo);
  const module = name.replaceAll('-', '_').replace(/^\d/, '_$&');
  return `${folder}/packages/${isModule ? module : name}`;
}

/** Specs whose recipes are in the source, with the folder of each. */
function ownRecipes(lock: Lock, recipes: Folders, facts: ImportFacts): readonly { spec: LockedSpec; folder: string }[] {
  return [...lock.specs.values()].flatMap((spec) => {
    const folder = Object.hasOwn(recipes, spec.namespace) ? recipes[spec.namespace] : undefined;
    const repo = folder === undefined ? null : (facts.text[repoFile(folder)] ?? null);
    if (spec.external !== null || folder === undefined || repo === null) return [];
    return [{ spec, folder: folderOf(spec.name, folder, repo) }];
  });
}

/** Questions about the repositories themselves. Empty once all are answered. */
export const repositoryAsks = (recipes: Folders, { text }: ImportFacts): readonly CommitAsk[] =>
  Object.values(recipes)
    .filter((folder) => text[repoFile(folder)] === undefined)
    .flatMap((path): CommitAsk[] => [
      { ask: 'text', path: repoFile(path) },
      { ask: 'folder', path: shared(path) },
    ]);

/** Questions about the recipes of a lock: their folders, then their files. Empty once all are answered. */
export function recipeAsks(lock: Lock, recipes: Folders, facts: ImportFacts): readonly CommitAsk[] {
  const folders = [...new Set(ownRecipes(lock, recipes, facts).map(({ folder }) => folder))];
  const unknown = folders.filter((path) => facts.folder[path] === undefined);
  if (unknown.length > 0) return unknown.map((path) => ({ ask: 'folder', path }));
  const files = [...folders, ...Object.values(recipes).map(shared)].flatMap((folder) =>
    (facts.folder[folder] ?? []).map((name) => `${folder}/${name}`),
  );
  return files.filter((path) => facts.text[path] === undefined).map((path) => ({ ask: 'text', path }));
}

export function recipeFaults(lock: Lock, recipes: Folders, facts: ImportFacts): readonly Problem[] {
  const isLost = (path: string): boolean => typeof facts.text[path] !== 'string';
  const lost = Object.entries(recipes).filter(([, folder]) => isLost(repoFile(folder)));
  const absent = ownRecipes(lock, recipes, facts).filter(({ folder }) => isLost(`${folder}/package.py`));
  return [
    ...lost.map(([namespace, folder]) => problems.recipesAbsent(undefined, folder, namespace)),
    ...absent.map(({ spec, folder }) => problems.recipeAbsent(spec.place, folder, spec.name)),
  ];
}

/** Files of the repositories by path, as the source has them. */
export const recipeFiles = (recipes: Folders, text: ImportFacts['text']): readonly (readonly [string, string])[] =>
  Object.entries(text).flatMap(([path, content]) =>
    content !== null && Object.values(recipes).some((folder) => path.startsWith(`${folder}/`)) ? [[path, content]] : [],
  );
