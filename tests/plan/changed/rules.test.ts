import type { Problem } from '../../../src/model/failure.js';
import { readRules } from '../../../src/plan/changed/rules.js';
import { whyUnchanged } from '../../../src/plan/changed/unchanged.js';

/** Rules of a ship yard, in the order of their lines. */
const YARD = `# who looks at what
! hull sails   # declared on two lines
!papers crew

docs/*.md
# prose starts nothing
;
hull/frames/
hull/keel.txt
@ hull
;
hull/
@ hull crew   # two tags
@ sails
;
  sails/*/main.svg
\tlog?.txt
@sails
;
papers
@ papers
;
*
@ crew
`;

function tagsOf(path: string, ...texts: readonly string[]): readonly string[] {
  const found: Problem[] = [];
  const files = Object.fromEntries(texts.map((text, index) => [`${index}.rules.txt`, text]));
  const read = readRules(files, [path], (one) => found.push(one));
  expect(found).toEqual([]);
  return [...new Set([...read.values()].flatMap(({ given }) => [...given]))].sort();
}
function faultsIn(text: string, paths: readonly string[] = []): readonly Problem[] {
  const found: Problem[] = [];
  readRules({ 'a.rules.txt': text }, paths, (one) => found.push(one));
  return found;
}

test.each([
  ['docs/a.md', ''],
  ['docs/deep/er/a.md', ''],
  ['docs/a.txt', 'crew'],
  ['hull/frames/one.txt', 'hull'],
  ['hull/frames', 'hull'],
  ['hull/keel.txt', 'hull'],
  ['hull/keel.txt.old', 'crew hull sails'],
  ['hull/framesets/a', 'crew hull sails'],
  ['hulls/a', 'crew'],
  ['sails/a/main.svg', 'sails'],
  ['sails/a/b/main.svg', 'sails'],
  ['sails/main.svg', 'crew'],
  ['log1.txt', 'sails'],
  ['log/.txt', 'sails'],
  ['log.txt', 'crew'],
  ['old/log1.txt', 'crew'],
  ['papers', 'papers'],
  ['papers/a', 'crew'],
  ['a\nb', 'crew'],
])('given a change of %j, then the first rule that matches gives the tags: %s', (path, tags) => {
  expect(tagsOf(path, YARD).join(' ')).toBe(tags);
});

test('given several files, then each is judged by itself and their tags are joined', () => {
  const [night, coast] = ['! night\n*\n@ night\n;\n', '! coast\nhull/\n@ coast\n;\n'];
  expect(tagsOf('hull/frames/a', YARD, night, coast)).toEqual(['coast', 'hull', 'night']);
  expect(tagsOf('docs/a.md', YARD, night, coast)).toEqual(['night']);
});

test.each([
  ['[ab].txt', '[ab].txt', 'a.txt'],
  ['a.c*', 'a.cpp', 'abcpp'],
  ['(a|b)?', '(a|b)c', 'ac'],
  ['$a^*', '$a^', 'a'],
  ['é?', 'é😀', 'é'],
  ['*b*?c', 'abbbxc', 'abc'],
  ['?*', 'a/b', ''],
  ['a//', 'a//b', 'a/b'],
])('given the line %s, then it matches %s and not %s: other signs are letters', (line, yes, no) => {
  const text = `! t\n${line}\n@ t`;
  expect(tagsOf(yes, text)).toEqual(['t']);
  expect(tagsOf(no, text)).toEqual([]);
});

test('given a rule without ; at the end, an empty one, or line ends of Windows, then it counts all the same', () => {
  expect(tagsOf('a', '! t\r\n;\r\na\r\n@ t')).toEqual(['t']);
  expect(tagsOf('b', '! t\n;\n;\na\n@ t\n')).toEqual([]);
});

test.each([
  ['a declaration behind a rule', '! a\nb\n! c\n', 'RULES_LINE_UNKNOWN', 3, /"! c" .*before the first rule/],
  ['a word behind ;', '! a\nb\n; @ a\n', 'RULES_LINE_UNKNOWN', 3, /"; @ a" .*; stands alone/],
  ['a directive of former versions', '\\default\n', 'RULES_LINE_UNKNOWN', 1, /no directives/],
  ['a long glob', `\n${'a'.repeat(500)}*`, 'RULES_LINE_UNKNOWN', 2, /at most 500 characters/],
  [
    'a tag that is not declared',
    '! hull\na\n@ hul\n',
    'RULES_LINE_UNKNOWN',
    3,
    /"! hul" declares its tag; did you mean "hull"\?/,
  ],
])('given %s, then the file and its line are reported', (_, text, code, line, message) => {
  expect(faultsIn(text)).toMatchObject([{ code, place: { file: 'a.rules.txt', line } }]);
  expect(faultsIn(text)[0]!.message).toMatch(message);
});

test('given a file that is no rules file, then its first mistakes are reported', () => {
  expect(faultsIn('\\a\n'.repeat(100_000))).toHaveLength(20);
});

test('given more than 2,000 globs in all files of a source, then the line that is too many is reported', () => {
  const text = 'a*\n'.repeat(2_000);
  expect(faultsIn(text)).toEqual([]);
  expect(faultsIn(`${text}b*\nc*\n`)).toMatchObject([
    { code: 'RULES_TOO_MANY_GLOBS', place: { file: 'a.rules.txt', line: 2_001 } },
  ]);
  const found: Problem[] = [];
  readRules({ 'a.rules.txt': text, 'b.rules.txt': 'b*' }, [], (one) => found.push(one));
  expect(found).toMatchObject([{ code: 'RULES_TOO_MANY_GLOBS', place: { file: 'b.rules.txt', line: 1 } }]);
});

test('given globs that take too long for so many paths, then planning is refused and not slow', () => {
  const text = `${'?*'.repeat(200)}z\n`.repeat(2_000);
  const paths = Array.from({ length: 20_000 }, (_, at) => `${'x'.repeat(420)}${at}`);
  expect(faultsIn(text, paths)).toMatchObject([{ code: 'RULES_TOO_COSTLY', place: { file: 'a.rules.txt' } }]);
});

test('given 50,000 lines without globs and 50,000 deep paths, then each path is looked up once', () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => (at % 2 ? `a/b/${at}/` : `a/b/${at}/c`));
  const paths = lines.map((line) => `${line.replace(/\/$/, '')}/${'d/'.repeat(20)}e`);
  const read = readRules({ f: `! t\n${lines.join('\n')}\n@ t` }, paths, () => undefined);
  expect([...read.get('f')!.given]).toEqual(['t']);
});

const since = (tags: readonly string[], ...paths: readonly string[]) => {
  const read = readRules({ 'yard.rules.txt': YARD }, paths, () => undefined);
  const changed = { rules: ['yard.rules.txt'], tags: [...tags] };
  return whyUnchanged({ path: [], source: '', changed }, 'main', { base: 'a'.repeat(40), paths, near: {} }, read);
};

test('given no change with one of the tags, then the reason names the tags, and the lines that would have given them', () => {
  expect(since(['hull'], 'docs/a.md', 'papers')).toBe(
    'no change since main gives the tag hull (paths changed: 2); yard.rules.txt:10, yard.rules.txt:13 would have',
  );
  expect(since(['papers', 'hull', 'sails'], 'docs/a.md')).toBe(
    'no change since main gives the tag papers, hull, sails (paths changed: 1); yard.rules.txt:10, yard.rules.txt:13, yard.rules.txt:14 and 2 more would have',
  );
  expect(since(['papers', 'hull'], 'docs/a.md', 'hull/a')).toBeNull();
});
