/** @slow */
import { join } from 'node:path';
import { addFeature, aTree, type Said, type Tree } from './a-tree.js';
import { aProject } from './a-release.js';

/** A change of one file of the sample, and a line that refuses it. */
type Row = readonly [what: string, file: string, from: string | RegExp, to: string, says: string];

const FILE = `slipway: 1
release: { name: skiff, version: '1.0' }
source: { git: . }
platforms: [linux-x86_64]
steps: { pack: { run: 'true', outputs: [skiff.txt] } }
scans: { all: { import: licences, file: scans.txt } }
`;

let tree: Tree;
let project: string;
beforeAll(() => {
  tree = aTree();
  addFeature(tree, 'sample', join(__dirname, 'sample'));
  expect(tree.build()).toEqual({ status: 0, text: '' });
  project = aProject(join(tree.root, 'project'), { 'slipway.yaml': FILE, 'scans.txt': 'steps/pack\n' });
});
afterEach(() => tree.restore());
afterAll(() => tree?.remove());

/** Places of a file are left out: they change with each line above. */
const lines = (text: string): readonly string[] => text.split('\n').map((line) => line.replace(/\(\d+,\d+\)/, ''));

function change([, file, from, to]: Row): string {
  const path = `src/features/sample/${file}`;
  tree.edit(path, (text) => text.replace(from, to));
  return path;
}

function names([, , , , says]: Row, { status, text }: Said): void {
  expect(lines(text)).toContainEqual(expect.stringContaining(says));
  expect(status).not.toBe(0);
}

const refused = (row: Row, by: (path: string) => Said): void => names(row, by(change(row)));

/** No change hides the error of another, so one check reports them all. */
const TOGETHER: readonly Row[] = [
  [
    'a kind without a flag',
    'kinds.ts',
    ' helps: false,',
    '',
    "sample/kinds.ts: error TS2741: Property 'helps' is missing",
  ],
  [
    'a kind without a schema',
    'schemas.ts',
    /  params: .*\n/,
    '',
    "schema/params.ts: error TS2741: Property 'scanFiles' is missing",
  ],
  [
    'a shipped file without names',
    'schemas.ts',
    /  publishes: .*\n/,
    '',
    "schema/kind-answers.ts: error TS2741: Property 'scanFiles' is missing",
  ],
  [
    'a prefix of ids without a row',
    'kinds.ts',
    /  ids: \{ scans.*\n/,
    '',
    "model/id-prefixes.ts: error TS2741: Property 'scans' is missing",
  ],
  [
    'a kind of target without a schema',
    'schemas.ts',
    /  targets: \{.*\n  \},\n/s,
    '',
    "schema/target-schemas.ts: error TS2741: Property 'shelf' is missing",
  ],
  [
    'a stage that plan.ts does not list',
    'plan.ts',
    'stages: { scans }',
    'stages: {}',
    "features/plan.ts: error TS2322: Type '{ stages: {};",
  ],
  [
    'an importer that does not name its question',
    'pure/licences.ts',
    ' asks: { approved: {} },',
    '',
    "Property 'asks' is missing",
  ],
];

describe('given several changes at once', () => {
  let said: Said;
  beforeAll(() => {
    for (const row of TOGETHER) change(row);
    said = tree.check('core');
    tree.restore();
  });

  test.each(TOGETHER)('when one is %s, then the compiler names it', (...row) => names(row, said));
});

/** Each of these hides an error of another, or is hidden. */
const ALONE: readonly Row[] = [
  [
    'a schema that its stage does not fill',
    'schemas.ts',
    'allow: texts',
    'allow: text',
    "sample/pure/scans.ts: error TS2322: Type 'string[]' is not assignable to type 'string'",
  ],
  ['a kind without a body', 'node.ts', /  bodies: .*\n/, '', "Property 'bodies' is missing"],
  [
    'a body of another kind',
    'node.ts',
    '({ scanFiles })',
    '({ scanFile: scanFiles })',
    "Property 'scanFiles' is missing",
  ],
  [
    'a body that reads other parameters',
    'node/scan-files.ts',
    '{ allow, report }',
    '{ allowed: allow, report }',
    "Property 'allowed' does not exist on type '{ readonly allow: readonly string[]; readonly report: string; }'",
  ],
  ['a kind of target that nothing opens', 'node.ts', /  targets: .*\n/, '', "Property 'targets' is missing"],
];
test.each(ALONE)('given %s, then the compiler names it', (...row) =>
  refused(row, (path) => tree.check(path.includes('/node') ? 'node' : 'core')),
);

const BESIDES_BODIES = [
  /^import .*(digest|approved|scan)\.js';\n/gm,
  /^  (answers|doctor).*\n|^  activities.*\n.*\n  \},\n/gm,
];
test('given a feature with bodies and openers alone, then it compiles', () => {
  tree.edit('src/features/sample/node.ts', (text) => BESIDES_BODIES.reduce((left, one) => left.replace(one, ''), text));
  expect(tree.check('node')).toEqual({ status: 0, text: '' });
});

const WORKFLOWS: readonly Row[] = [
  [
    'a workflow without a row that has the name of one of the core',
    'workflows.ts',
    'const findScan = (',
    'const release = (',
    'the core and a feature both export the workflow release',
  ],
  [
    'a workflow without a row',
    'workflows.ts',
    /$/,
    'export const sumScans = async (): Promise<number> => 0;\n',
    'a feature exports the workflow sumScans, and no kinds.ts has its row',
  ],
  [
    'a row without a workflow',
    'workflows.ts',
    'export const findScan',
    'export type Finding = typeof findScan;\nconst findScan',
    'a kinds.ts has a row for the workflow findScan, and no workflows.ts exports it',
  ],
];
test.each(WORKFLOWS)('given %s, then the compiler names it', (...row) => refused(row, () => tree.check('workflows')));

const LINT: readonly Row[] = [
  [
    'kinds.ts that loads a file',
    'kinds.ts',
    /^/,
    "import { row } from '../../model/kind-row.js';\nexport const one = row;\n",
    'src/features/sample/kinds.ts loads model/kind-row.ts: the tables of the core load it before all else, so it imports types alone.',
  ],
  [
    'cli.ts that loads an adapter',
    'cli.ts',
    /^/,
    "import { home } from '../../adapters/home.js';\nexport const at = home;\n",
    'src/features/sample/cli.ts loads adapters/home.ts: each `slipway --help` would load it: import it in the command, by `await import`.',
  ],
];
test.each(LINT)('given %s, then the linter names both files', (...row) => refused(row, (path) => tree.lint(path)));

const taken = (what: string): string => `the core and feature "sample" both have a ${what}`;
const shared = (what: string): string => `feature "sample" and feature "other" both have a ${what}`;
const START: readonly Row[] = [
  ['a kind of the core', 'kinds.ts', 'scanFiles: {', 'fetchSource: {', taken('kind "fetchSource"')],
  ['a prefix of ids of the core', 'kinds.ts', 'ids: { scans', 'ids: { steps', taken('prefix of ids "steps"')],
  ['a stage of the core', 'kinds.ts', 'stages: { scans', 'stages: { seal', taken('stage "seal"')],
  [
    'a stage after an unknown one',
    'kinds.ts',
    "after: 'steps'",
    "after: 'packing'",
    'stage "scans" of feature "sample" comes after "packing", which is no stage',
  ],
  [
    'a family of records of the core',
    'kinds.ts',
    'records: { scanned',
    'records: { known',
    taken('family of records "known"'),
  ],
  ['a type of workflow of the core', 'kinds.ts', 'findScan: {', 'bisect: {', taken('type of workflow "bisect"')],
  ['a kind of target of the core', 'kinds.ts', 'shelf: {', 's3: {', taken('kind of target "s3"')],
  [
    'an importer without the form of an entry',
    'schemas.ts',
    /  entries: .*\n/,
    '',
    'feature "sample" has an importer "licences", and no schemas.ts has a form of an entry "SECTION.import.licences"',
  ],
  [
    'the form of an entry without an importer',
    'plan.ts',
    /  importers: .*\n/,
    '',
    'feature "sample" has the form of an entry "scans.import.licences", and no plan.ts has an importer "licences"',
  ],
  [
    'the form of an entry of a feature without a `plan.ts`',
    '../plan.ts',
    '= { sample }',
    '= {}',
    'feature "sample" has the form of an entry "scans.import.licences", and no plan.ts has an importer "licences"',
  ],
  [
    'an importer of the core',
    'plan.ts',
    'importers: { licences }',
    'importers: { ray: licences }',
    taken('word of importers "ray"'),
  ],
  [
    'an importer of another feature',
    '../plan.ts',
    '= { sample }',
    '= { sample, other: sample }',
    shared('word of importers "licences"'),
  ],
  [
    'a question of the core',
    'pure/licences.ts',
    '{ approved: {} }',
    '{ text: {} }',
    taken('question of importers "text"'),
  ],
  [
    'a question of another feature',
    '../plan.ts',
    '= { sample }',
    '= { sample, other: { importers: { second: sample.importers.licences } } }',
    shared('question of importers "approved"'),
  ],
  [
    'a question that its importer does not name',
    'pure/licences.ts',
    "ask: 'approved'",
    "ask: 'aproved'",
    'the importer "licences" asks "aproved", and its asks does not list that',
  ],
  [
    'a question without an answer',
    'node.ts',
    /  answers: .*\n/,
    '',
    'the importer "licences" asks "approved", and no node.ts of a feature answers that',
  ],
  [
    'an entry of a section that its importer does not name',
    'pure/licences.ts',
    '{ scans: Scan }',
    '{}',
    'the importer does not list its section in `makes`',
  ],
  ['a section of the core', 'schemas.ts', 'scans: Scans', 'steps: Scans', taken('section "steps"')],
  ['a key of `publish` of the core', 'schemas.ts', 'entry: { shelf', 'entry: { tag', taken('key of `publish` "tag"')],
  ['a command of the core', 'cli.ts', "name: 'scans'", "name: 'why'", taken('command "why"')],
  [
    'a command after an unknown one',
    'cli.ts',
    "after: 'ledger'",
    "after: 'ledgers'",
    'command "scans" of feature "sample" comes after "ledgers", which is no command',
  ],
  [
    'a command after itself',
    'cli.ts',
    "after: 'ledger'",
    "after: 'scans'",
    'command "scans" of feature "sample" comes after "scans", which comes after it in a circle',
  ],
  [
    'a section after an unknown one',
    'schemas.ts',
    'sections: {',
    "after: { scans: 'packs' },\n  sections: {",
    'section "scans" of feature "sample" comes after "packs", which is no section',
  ],
];
/** Two lines for each problem: the fact, and what to do next. A problem of an imported file begins with its place. */
const TOLD =
  /^(( {2}[A-Z_]+ \(config\) .*\n {2}next: .*\n)+|scans\.txt .*\n {2}[A-Z_]+ {2}next: .*\n`slipway` is not on the PATH .*\n.*\n)$/;

test.each(START)('given %s, then the program that starts names both', (...row) =>
  refused(row, (path) => {
    const said = tree.start(project, ...(path.endsWith('cli.ts') ? ['--help'] : ['plan']));
    expect(said.text).toMatch(TOLD);
    return said;
  }),
);

test('given files of an entry whose steps read none, then its frame refuses the key', () => {
  const entry = 'scans: { pack: { needs: [steps/pack], allow: [MIT], files: [nope.txt] } }\n';
  const other = aProject(join(tree.root, 'other'), { 'slipway.yaml': FILE.replace(/scans:.*\n/, entry) });
  expect(tree.start(other, 'plan').text).toContain('scans.pack.files: unknown key');
});

test.each(['--queue=control', '--workflows'])(
  'given a name of the core, then a worker %s names both in two lines',
  (role) => {
    tree.edit('src/features/sample/kinds.ts', (text) => text.replace('scanFiles: {', 'fetchSource: {'));
    const said = tree.node(`process.argv.splice(1, 0, 'main', '${role}'); require('./dist/workers/main.js');`);
    expect(said).toEqual({ status: 1, text: expect.stringMatching(TOLD) });
    expect(said.text).toContain(taken('kind "fetchSource"'));
  },
);

test('given records without a family, then the store refuses to write one', () => {
  tree.edit('src/features/sample/kinds.ts', (text) => text.replace(/  records: .*\n/, ''));
  const { text } = tree.node(`
    const { provedStore } = require('./dist/adapters/home-keys/proved-store.js');
    provedStore({}, {}).create('scanned/1', {}).catch(({ message, first }) => console.log(message, first.next));`);
  expect(text).toBe(
    'RECORD_OF_NO_FAMILY: the record scanned/1 belongs to no family of records, so nothing says which key signs it ' +
      'Add its family to the records in kinds.ts of the feature that writes it. If no feature does, report this.\n',
  );
});
