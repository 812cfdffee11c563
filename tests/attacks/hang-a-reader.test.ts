/** @slow */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem, SlipwayFailure } from '../../src/model/failure.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { withDeadline } from '../support/with-deadline.js';

const MEGABYTE = 1_000_000;
const filled = (piece: string, before = '', after = ''): string =>
  before + piece.repeat(Math.ceil(MEGABYTE / piece.length)) + after;

/** A reader that is quadratic needs many minutes for a megabyte; one that is linear needs a second where everything is busy. */
const LIMIT_MS = 60_000;

const BASE = 'http://127.0.0.1:1/simple/skiff/';
const html = (text: string): readonly unknown[] => [text, 'text/html', BASE];
const PAGE = ['adapters/index/simple-page', 'readPage'] as const;
const POM = ['activities/jars/pom', 'readPom'] as const;
const INIT_POM = ['plan/init/pom', 'readPom'] as const;

/** A module, its reader, and a megabyte that took it minutes before, or that the same mistake would make it take. */
const TEXTS: readonly (readonly [string, string, string, readonly unknown[]])[] = [
  ['M1 an anchor that never ends', ...PAGE, html(filled('<a href="'))],
  ['M1 attributes without an end', ...PAGE, html(filled('<a x=y '))],
  ['M1 elements in elements', ...PAGE, html(filled('<b>'))],
  ['M1 ends of elements that never began', ...PAGE, html(filled('<i></b>'))],
  ['M1 a comment that never ends', ...PAGE, html(filled('<!--'))],
  ['M1 entities without an end', ...PAGE, html(filled('&am', '<a href="x">'))],
  ['M1 titles', ...PAGE, html(filled('<title>links '))],
  ['M1 JSON that nests', ...PAGE, [filled('['), 'application/vnd.pypi.simple.v1+json', BASE]],
  ['M3 comments of a POM that never end', ...POM, [filled('<!--', '<project>')]],
  ['M3 a module that is white space', ...POM, [filled(' ', '<project><modules><module>')]],
  ['M3 a tag of a POM that never ends', ...POM, [filled('<project x ')]],
  ['M3 elements of a POM in elements', ...POM, [filled('<a>', '<project>')]],
  ['M3 comments that init reads', ...INIT_POM, [filled('<!--', '<project>')]],
  ['M3 one long name that init reads', ...INIT_POM, [filled('A', '<A')]],
  ['M3 white space before a hash', 'features/locks/node/drift', 'essence', [filled('\t', 'skiff==1')]],
  ['M3 white space before no hash', 'features/locks/node/drift', 'withoutHashLines', [filled('\t')]],
  ['M3 comments with line separators', 'features/locks/node/drift', 'essence', [filled('\t#', '#', '\u2028#')]],
  [
    'M3 white space before a marker',
    'features/locks/node/relax',
    'relaxedExactly',
    [filled(' ', 'skiff ', 'x'), [], 'f'],
  ],
  ['M3 extras that never end', 'engine/ledger/bill', 'billOfMaterials', [{}, [{ name: 'l', text: filled('a[\n') }]]],
  [
    'M3 findings of a tool in white space',
    'activities/wheels/ask-tools',
    'splitFindings',
    [filled(' \t', 'w: W002: ', '\nx')],
  ],
  ['M3 a path of slashes', 'plan/text', 'filesIn', [filled('/', '{files}/a', 'a')]],
  ['M3 a range in white space', 'plan/init/python-tags', 'allows', [filled(' ', '', 'x'), 12]],
  ['M3 digits of a version of a tool', 'model/python/version', 'parseVersion', [filled('1')]],
  ['M3 parts of a version', 'model/python/version', 'parseVersion', [filled('1.', '', 'x')]],
  ['M3 a line that ends in white space', 'model/first-error', 'rowOf', [filled(' ', 'error: ', 'x')]],
  ['M3 metadata of a Maven repository', 'adapters/maven-repository/metadata', 'versionsIn', [filled('<version>1')]],
  ['M3 quotes in a variable of Ray', 'importers/ray/environment', 'environmentOf', [filled('"', 'A=x', 'y'), 'f']],
  ['M3 a variable of a matrix that is a blank', 'importers/ray/matrix', 'withValue', [filled(' ', '{{'), ' ', 'x']],
];

test.each(TEXTS)('given [%s], then its reader ends in time', async (_, module, name, values) => {
  expect(await withDeadline(module, name, values, LIMIT_MS)).not.toBe('hangs');
});

/** Expressions that take a backtracking engine years. */
const EXPRESSIONS = ['^(a+)+$', '(a|a)*b', '(.*)(.*)(.*)(.*)(.*)(.*)z', '(?:a*)*(?:a*)*c', '^(\\w+\\s?)*$'];

test.each(EXPRESSIONS)(
  '[M3] given the expression %s for a version, then matching its worst text ends in time',
  async (match) => {
    const folder = { path: '', checkout: { texts: { file: `${'a'.repeat(100_000)}!` } } };
    const answer = await withDeadline('plan/init/python-version', 'versionIn', [folder, 'file', match], LIMIT_MS);
    expect(answer).not.toBe('hangs');
  },
);

test.each(EXPRESSIONS)(
  '[M3] given the pattern %s in a tags file, then matching its worst text ends in time',
  async (pattern) => {
    const rules = {
      versions: [{ rule: 'all', channel: 'release', when: {}, tags: ['{version}'], moves: [] }],
      parts: [{ axis: 'python', rows: [{ rule: 'python', is: pattern, add: ['-x'] }] }],
    };
    const image = { name: 'skiff', axes: { python: `${'a'.repeat(80)}!` } };
    const facts = { version: '1', commit: null, branch: null };
    expect(await withDeadline('plan/tags', 'tagsFor', [image, facts, rules], LIMIT_MS)).toBe('[]');
  },
);

test.each(EXPRESSIONS)(
  '[M3] given the expression %s in retry.lines, then matching its worst text ends in time',
  async (expression) => {
    const problem = { code: 'X', class: 'product', message: 'm', next: 'n', details: { exitCode: 1 } };
    const rules = { lines: [{ match: expression, class: 'infra' }] };
    const tail = Array<string>(200).fill(`${'a'.repeat(1_999)}!`);
    const answer = await withDeadline('activities/step/ends', 'judgedEnd', [problem, tail, rules], LIMIT_MS);
    expect(JSON.parse(answer)).toMatchObject({ class: expect.stringMatching(/infra|product/) });
  },
);

test('[M3] given a pattern of outputs, then matching its worst name ends in time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-hang-'));
  writeFileSync(join(folder, 'a'.repeat(250)), '');
  const glob = `**/${'*a'.repeat(20)}*b`;
  expect(await withDeadline('activities/steps/outputs', 'findFiles', [{ folder }, folder, [glob]], LIMIT_MS)).toBe(
    '[]',
  );
});

test.each([['(a)\\1'], ['(?=a)b'], ['a{1001}'], ['(']])(
  '[M3] given the expression %s, which RE2 lacks, then the file is refused with its line',
  (expression) => {
    const text = `slipway: 1\nrelease:\n  name: skiff\n  version:\n    file: v\n    match: '${expression}'\n`;
    const refusal = refusalOf(() => readReleaseFile(text, 'slipway.yaml'));
    expect(refusal).toContainEqual(
      expect.objectContaining({
        code: 'WRONG_VALUE',
        place: expect.objectContaining({ file: 'slipway.yaml', line: 6 }),
        message: expect.stringContaining('no regular expression of RE2'),
      }),
    );
  },
);

function refusalOf(act: () => unknown): readonly Problem[] {
  try {
    act();
    return [];
  } catch (error) {
    return (error as SlipwayFailure).problems;
  }
}
