import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { FEATURE_KINDS } from '../../src/features/kinds.js';
import type { FeatureKinds } from '../../src/model/feature-kinds.js';
import { KINDS, type KindName } from '../../src/model/kinds.js';
import { ROOT } from '../support/pages.js';

const NAMES: ReadonlySet<string> = new Set(Object.keys(KINDS));
const OF_FEATURES = Object.values<FeatureKinds>(FEATURE_KINDS).flatMap(({ kinds = {} }) => Object.keys(kinds));
/** Rows of kinds. Their types refuse a kind without one. */
const ROWS = /^src\/(model\/(kinds|schema\/(build-)?params)|features\/[^/]+\/(kinds|schemas|node))\.ts$/;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src/**/*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !ROWS.test(file));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}
const isNode = (one: unknown): one is Node => typeof (one as Node | null)?.type === 'string';
const below = (node: unknown): readonly Node[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.values(node).flatMap((one: unknown) => (isNode(one) ? [one, ...below(one)] : below(one)));

const kindsIn = (nodes: readonly (Node | undefined)[], type = 'StringLiteral'): ReadonlySet<string> =>
  new Set(
    nodes.flatMap((one) =>
      (one?.type === 'StringLiteral' || one?.type === type) && NAMES.has(String(one['value']))
        ? [String(one['value'])]
        : [],
    ),
  );
const keyOf = (property: Node): Node => {
  const key = (property['key'] as Node | undefined) ?? property;
  return key.type === 'Computed' ? (key['expression'] as Node) : key;
};

/** Kinds that `||` compares with, apart from those inside functions. */
const compared = (node: Node): readonly Node[] =>
  node.type === 'ParenthesisExpression'
    ? compared(node['expression'] as Node)
    : node.type !== 'BinaryExpression'
      ? []
      : ['||', '&&'].includes(node['operator'] as string)
        ? [...compared(node['left'] as Node), ...compared(node['right'] as Node)]
        : [node['left'] as Node, node['right'] as Node];

/** Describes what lists kinds beside their rows. A record of all kinds of the core is no such list: a further kind does not
 * compile. */
function listIn(node: Node): ReadonlySet<string> {
  if (node.type === 'ArrayExpression')
    return kindsIn((node['elements'] as ({ expression: Node } | undefined)[]).map((one) => one?.expression));
  if (node.type === 'ObjectExpression' || node.type === 'ObjectPattern') {
    const keys = kindsIn((node['properties'] as Node[]).map(keyOf), 'Identifier');
    return keys.size === NAMES.size - OF_FEATURES.length ? new Set() : keys;
  }
  if (node.type === 'BinaryExpression') {
    const kinds = kindsIn(compared(node));
    return kinds.size > 1 ? kinds : new Set();
  }
  if (node.type !== 'SwitchStatement') return new Set();
  const cases = node['cases'] as { test: Node | null; consequent: Node[] }[];
  const kinds = kindsIn(cases.flatMap(({ test }) => (test === null ? [] : [test])));
  // The default hands the kind to a function that takes only kinds whose row says that they need no case.
  const last = cases.find(({ test }) => test === null)?.consequent ?? [];
  return below(last).some(({ type }) => type === 'CallExpression') ? new Set() : kinds;
}

const lists = (text: string): readonly string[] =>
  below(parseSync(text, { syntax: 'typescript' }).body).flatMap((node) => {
    const kinds = [...listIn(node)];
    return kinds.length === 0 ? [] : [kinds.join(' ')];
  });

test.each([
  ["const A: readonly KindName[] = ['fetchSource', 'makeBase'];", ['fetchSource makeBase']],
  ["const A = new Set<KindName>(['takeWheel']);", ['takeWheel']],
  ['const A: Partial<Record<KindName, number>> = { runOnCluster: 1 };', ['runOnCluster']],
  ["const A: Partial<Record<KindName, number>> = { ['runTest']: 1 };", ['runTest']],
  ["const isTest = (kind: KindName) => kind === 'runTest' || (kind === 'runOnCluster');", ['runTest runOnCluster']],
  ["() => { switch (kind) { case 'runTest': return 1; default: return 0; } }", ['runTest']],
  ["() => { switch (kind) { case 'runTest': return 1; default: return nothing(kind); } }", []],
  ["const isOurs = (kind: KindName) => kind === 'sealManifest';", []],
])('given %s, then it lists kinds: %j', (text, found) => {
  expect(lists(text)).toEqual(found);
});

test('given the sources, then no array, set, partial record, comparison or open switch lists kinds beside their rows', () => {
  expect(files.flatMap((file) => lists(read(file)).map((kinds) => `${file}: ${kinds}`))).toEqual([]);
});

/** Kinds of each system that moves into a folder of its own, and where they are named until then. A system that has moved is
 * not here. */
const TO_MOVE: readonly {
  readonly kinds: readonly KindName[];
  readonly folders: readonly string[];
  readonly files: readonly string[];
}[] = [
  {
    kinds: ['runOnCluster', 'clearClusters', 'keepStandings', 'reportTests'],
    folders: ['src/activities/clusters/', 'src/activities/reports/', 'src/activities/standings/'],
    files: [
      ...['activities/kind-bodies.ts', 'activities/tests/in-venv.ts', 'model/schema/sections/standings.ts'],
      'plan/policy/receivers.ts',
      ...['plan/services.ts', 'plan/stages.ts', 'plan/stages/clear-clusters.ts', 'plan/stages/cluster-tests.ts'],
      ...['plan/stages/reports.ts', 'plan/stages/standings.ts'],
    ],
  },
];

const MOVED = Object.entries<FeatureKinds>(FEATURE_KINDS).flatMap(([name, { kinds = {} }]) =>
  Object.keys(kinds).map((kind) => ({ kinds: [kind], folders: [`src/features/${name}/`], files: [] })),
);

test.each([...TO_MOVE, ...MOVED])(
  'given $kinds, then only these files name them, and the list only shrinks',
  (feature) => {
    const named = new RegExp(`\\b(${feature.kinds.join('|')})\\b`);
    const naming = files
      .filter((file) => feature.folders.every((folder) => !file.startsWith(folder)) && named.test(read(file)))
      .map((file) => file.slice('src/'.length));
    expect(naming).toEqual(feature.files);
  },
);
