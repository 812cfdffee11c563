import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suitesOf } from '../check/needs.mjs';

/** Systems whose suites .ci/run leaves out by turns. A key is also the need (tests/needs.json) of its suites, and its place is its turn.
 * `own` matches the paths of its files, those of deleted files too. `core` are core files that its suites use through a server. */
export const SYSTEMS = {
  ray: { own: /^(src|tests|tools)\/(.*[/-])?(clusters?|ray)[/.-]/, core: [] },
  s3: { own: /^(src|tests|tools)\/(.*[/-])?(s3|bucket)[/.-]/, core: [] },
  'tls-server': {
    own: /^(src|tests|tools)\/(.*[/-])?(certificates|(temporal|tls)-server)[/.-]/,
    core: ['src/client/connect.ts', 'src/services/catalog/temporal.ts'],
  },
};

/** Files that more sources import are common to all systems, and the suites that always run test them. */
const FEW = 5;

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';$/gm;

/** Suites of one system, as `{file, needs}`. A suite that needs several belongs to the first of the table. */
export const suitesOfSystem = (root, system) =>
  suitesOf(root).filter(({ needs }) => Object.keys(SYSTEMS).find((one) => needs.includes(one)) === system);

/** Core files of the system: those that it names, and those that its sources import and at most five files of src in all. */
export function coreOf(root, system) {
  const importers = new Map();
  for (const file of sourcesOf(root))
    for (const to of importsOf(root, file)) importers.set(to, [...(importers.get(to) ?? []), file]);
  const { own, core } = SYSTEMS[system];
  const imported = [...importers]
    .filter(([to, by]) => !own.test(to) && by.length <= FEW && by.some((file) => own.test(file)))
    .map(([to]) => to);
  return [...core, ...imported];
}

const sourcesOf = (root) =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));

const importsOf = (root, file) =>
  new Set(
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, from]) =>
      join(dirname(file), from).replace(/\.js$/, '.ts'),
    ),
  );
