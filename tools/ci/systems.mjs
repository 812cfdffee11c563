import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suitesOf } from '../check/needs.mjs';

/** Systems whose suites .ci/run leaves out by turns. A key is also the need (tests/needs.json) of its suites, and its place is its turn.
 * `own` matches the paths of its files, those of deleted files too. `core` are files that its suites use through a server or a build. */
export const SYSTEMS = {
  ray: { own: own('clusters?|ray'), core: [] },
  s3: { own: own('s3|bucket'), core: ['tools/start/go.mjs'] },
  'tls-server': {
    own: own('certificates|(temporal|tls)-server'),
    core: ['src/client/connect.ts', 'src/services/catalog/temporal.ts', 'tools/start/go.mjs'],
  },
  hosts: {
    own: /^(tests|tools)\/hosts\//,
    core: ['src/services/certificates.ts', 'tools/start/temporal-server.mjs', 'tools/temporal-server/main.mjs'],
  },
};

function own(words) {
  return new RegExp(`^(src|tests|tools|config|examples)/(.*[/-])?(${words})[/.-]`);
}

/** Files that more sources, or more files of tests, import are common to all systems, and the suites that always run test them. */
const FEW = 5;

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';$/gm;

/** Suites of one system, as `{file, needs}`. A suite that needs several belongs to the first of the table. */
export const suitesOfSystem = (root, system) =>
  suitesOf(root).filter(({ needs }) => Object.keys(SYSTEMS).find((one) => needs.includes(one)) === system);

/** Core files of the system: those that it names, those that its sources import and at most five files of src in all, and helpers that
 * its suites import and at most five files of tests in all. */
export function coreOf(root, system) {
  const { own, core } = SYSTEMS[system];
  const suites = suitesOfSystem(root, system).map(({ file }) => file);
  const isMine = (file) => own.test(file) || suites.includes(file);
  const imported = ['src', 'tests'].flatMap((folder) =>
    [...importersIn(root, folder)].flatMap(([to, by]) =>
      !isMine(to) && to.startsWith(join(folder, '/')) && by.length <= FEW && by.some(isMine) ? [to] : [],
    ),
  );
  return [...core, ...imported];
}

/** Files of a folder that import a file, by that file. */
function importersIn(root, folder) {
  const importers = new Map();
  for (const file of sourcesIn(root, folder))
    for (const to of importsOf(root, file)) importers.set(to, [...(importers.get(to) ?? []), file]);
  return importers;
}

const sourcesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

const importsOf = (root, file) =>
  new Set(
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, from]) =>
      join(dirname(file), from).replace(/\.js$/, '.ts'),
    ),
  );
