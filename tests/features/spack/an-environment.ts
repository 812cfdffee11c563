import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { importSpack } from '../../../src/features/spack/pure/import-spack.js';
import { EnvironmentImport } from '../../../src/features/spack/schemas/environment.js';
import { fileKey, type ImportFacts, noFacts } from '../../../src/importers/asks.js';
import type { Imported, Setting } from '../../../src/importers/importer.js';
import { sha256 } from '../../plan/a-plan.js';

/** Texts of files by path, as a commit has them. */
export type Files = Readonly<Record<string, string>>;

const ROOT = join(__dirname, '../../../examples/boatyard');
export const RECIPES = 'recipes/spack_repo/boatyard';

/** The files of examples/boatyard. A null takes a file away. */
export function boatyard(changed: Readonly<Record<string, string | null>> = {}): Files {
  const names = readdirSync(ROOT, { recursive: true }) as string[];
  const files = names.filter((name) => statSync(join(ROOT, name)).isFile());
  const own = Object.fromEntries(files.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]));
  const all = Object.entries({ ...own, ...changed });
  return Object.fromEntries(all.filter((pair): pair is [string, string] => pair[1] !== null));
}

/** The same with another lock, and with a spack.yaml that asks for its roots. */
export function boatyardWith(lock: string): Files {
  const { roots } = JSON.parse(lock) as { readonly roots: readonly { readonly spec: string }[] };
  const yaml = JSON.stringify({ spack: { specs: roots.map(({ spec }) => spec) } });
  return boatyard({ 'env/spack.lock': lock, 'env/spack.yaml': yaml });
}

export const recipeOf = (name: string): string => `${RECIPES}/packages/${name}/package.py`;

/** Answers what the importer asks from these files, as planning does. */
export function importedFrom(files: Files, more: Partial<EnvironmentImport> = {}, tries: Setting['tries'] = {}) {
  const entry = EnvironmentImport.parse({
    ...{ import: 'spack', file: 'env/spack.yaml', recipes: { boatyard: RECIPES } },
    ...more,
  });
  const facts = noFacts() as { readonly [K in keyof ImportFacts]: Record<string, unknown> };
  let held: unknown;
  for (let round = 0; round <= 10; round += 1) {
    const said = importSpack.read(entry, facts as ImportFacts, () => undefined, held);
    if ('kept' in said) return { made: importSpack.make(said.kept, entry, { ...SETTING, tries }) as Imported, facts };
    ({ held } = said);
    for (const one of said.asks) {
      if (one.ask === 'file') facts.file[fileKey(one)] = files[fileKey(one)] ?? null;
      else if (one.ask === 'today') facts.today['UTC'] = TODAY;
      else if (one.ask === 'text') facts.text[one.path] = files[one.path] ?? null;
      else if (one.ask === 'folder') facts.folder[one.path] = namesIn(files, one.path);
    }
  }
  throw new Error('the importer never ends');
}

/** Day of planning. */
export const TODAY = '2026-11-20';
const SETTING = { key: 'environments.stack', hash: sha256, at: () => undefined } as unknown as Setting;

function namesIn(files: Files, folder: string): readonly string[] | null {
  const below = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
  const names = new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0]!));
  return names.size === 0 ? null : [...names];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A hash that begins with the letters of a name. */
export const hashOf = (name: string): string =>
  name
    .replaceAll(/[^a-z]/g, '')
    .padEnd(32, LETTERS)
    .slice(0, 32);

/** A lock of format 6. @param edges names of what each spec links with, by its name; the last spec is the root */
export function aLock(edges: Readonly<Record<string, readonly string[]>>, more: object = {}, format = 6): string {
  const names = Object.keys(edges);
  const nodes = names.map((name) => [hashOf(name), aNode(name, edges[name]!)] as const);
  const root = names.at(-1)!;
  return JSON.stringify({
    _meta: { 'file-type': 'spack-lockfile', 'lockfile-version': format, 'specfile-version': 5 },
    spack: { version: '1.0.99', type: 'release' },
    roots: [{ hash: hashOf(root), spec: root }],
    concrete_specs: { ...Object.fromEntries(nodes), ...more },
  });
}

export const aNode = (name: string, links: readonly string[], more: object = {}): object => ({
  ...{ name, version: '1.0', namespace: 'far', hash: hashOf(name), package_hash: 'a'.repeat(52) },
  arch: { platform: 'linux', platform_os: 'debian12', target: 'x86_64' },
  dependencies: links.map((one) => ({
    ...{ name: one, hash: hashOf(one) },
    parameters: { deptypes: ['build', 'link'], virtuals: [] },
  })),
  ...more,
});
