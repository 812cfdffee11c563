import { readList } from '../../../src/importers/wheel-list/list.js';
import { inSeriesOrder } from '../../../src/importers/wheel-list/branches.js';

const HASH = 'a'.repeat(64);

function listOf(files: Readonly<Record<string, string>>) {
  const list = readList(
    'upper-constraints.txt',
    (path) => files[path] ?? null,
    (path) => `master:${path}`,
  );
  if ('asks' in list) throw new Error(`it asks for ${list.asks.join()}`);
  return list;
}
const ofText = (text: string) => listOf({ 'upper-constraints.txt': text });

const pins = (text: string): readonly string[] =>
  ofText(text).wanted.map(({ name, specifiers, place }) => `${place.line} ${name}${specifiers}`);

test.each([
  ['an exact pin', 'lxml==5.3.0', ['1 lxml==5.3.0']],
  ['a pin by text', 'lxml===5.3.0', ['1 lxml===5.3.0']],
  ['a comment after it', 'lxml==5.3.0  # for horizon', ['1 lxml==5.3.0']],
  ['a number sign inside a word', 'lxml==5.3.0#x', []],
  ['comment lines and empty lines', '# all\n\n  # more\nlxml==5.3.0\n', ['4 lxml==5.3.0']],
  [
    'continued lines',
    `lxml==5.3.0 \\\n  --hash=sha256:${HASH} \\\n  --hash=sha256:${HASH}\npip==24`,
    ['1 lxml==5.3.0', '4 pip==24'],
  ],
  ['a comment in the middle of continued lines', 'lxml==5.3.0 \\\n# why\npip==24', ['1 lxml==5.3.0', '3 pip==24']],
  ['a continuation at the end of the file', 'lxml==5.3.0 \\', ['1 lxml==5.3.0']],
  ['Windows line ends and a byte order mark', '\uFEFFlxml==5.3.0\r\npip==24\r\n', ['1 lxml==5.3.0', '2 pip==24']],
  ['a range with brackets and spaces', 'lxml (>= 5, <7)', ['1 lxml>=5,<7']],
  ['extras', 'uvicorn[standard]==0.30.0', ['1 uvicorn==0.30.0']],
  ['a name alone', 'lxml', ['1 lxml']],
  ['a dotted name', 'ruamel.yaml==0.18.6', ['1 ruamel.yaml==0.18.6']],
])('given %s, its requirements are read', (_what, text, expected) => expect(pins(text)).toEqual(expected));

test('given a marker and hashes, both are read', () => {
  const [one] = ofText(`Foo.Bar==1 ; python_version<'3.9' --hash=sha256:${HASH} --hash=md5:abc`).wanted;
  expect(one).toMatchObject({ project: 'foo-bar', sha256: [HASH] });
  expect(one!.marker).toEqual({ variable: 'python_version', op: '<', text: '3.9', isLeft: true });
});

test.each([
  ['-e git+https://example.invalid/x#egg=x', 'editable'],
  ['https://example.invalid/x-1.0.whl', 'names a place'],
  ['x @ https://example.invalid/x-1.0.whl', 'names a place'],
  ['./vendor/x', 'names a place'],
  ['x-1.0.tar.gz', 'names a place'],
  ['--index-url https://example.invalid/simple', 'pip'],
  ['--no-binary=:all:', 'pip'],
  ['-r https://example.invalid/list.txt', 'outside the commit'],
  ['-r ../other.txt', 'outside the repository'],
  ['-c /etc/other.txt', 'outside the repository'],
])('given the line %j, it is left out and told with its place', (text, because) => {
  const { wanted, findings } = ofText(`lxml==5.3.0\n${text}`);
  expect(wanted).toHaveLength(1);
  expect(findings).toMatchObject([
    { level: 'note', code: 'LIST_LINE_LEFT_OUT', subject: 'master:upper-constraints.txt:2' },
  ]);
  expect(findings[0]!.why).toContain(because);
});

test.each([
  ['lxml==', 'no specifier of versions'],
  ['lxml=5.3.0', 'no specifier of versions'],
  ['lxml==5.3.0 pip==24', 'no specifier of versions'],
  ['lxml>=5.*', 'no specifier of versions'],
  ['==5.3.0', 'no name of a project'],
  ['lxml==5.3.0; nonsense', 'no variable of markers'],
  ['lxml==5.3.0 --hash=sha256:abc', 'is no sha256'],
  [`lxml==5.3.0 --hash=sha512:${HASH}${HASH} --hash=md5:abc`, 'none of its hashes is a sha256'],
  ['lxml==5.3.0 --hsah=sha256:abc', 'no option of a requirement'],
  ['--frobnicate', 'no option of requirements files'],
])('given the line %j, it is an error with its place, and the other lines count', (text, why) => {
  const { wanted, findings } = ofText(`${text}\npip==24`);
  expect(wanted.map(({ name }) => name)).toEqual(['pip']);
  expect(findings).toMatchObject([{ level: 'error', code: 'LIST_LINE', subject: 'master:upper-constraints.txt:1' }]);
  expect(findings[0]!.why).toContain(why);
});

test.each([
  ['blanks', ' ', 'LIST_LINE'],
  ['backslashes', '\\', 'LIST_LINE'],
  ['brackets', '(', 'LIST_LINE'],
  ['dots', '.', 'LIST_LINE'],
])('given a line with a million %s, it is an error, and reading takes linear time', (_what, text, code) => {
  const { wanted, findings } = ofText(`lxml${text.repeat(1_000_000)}!\npip==24`);
  expect(wanted.map(({ name }) => name)).toEqual(['pip']);
  expect(findings).toMatchObject([{ code }]);
  expect(findings[0]!.why.length).toBeLessThan(700);
});

test('given more requirements than a list may have, the rest is left out, and one finding says so', () => {
  const { wanted, findings } = ofText('skiff==1.0\n'.repeat(20_003));
  expect(wanted).toHaveLength(20_000);
  expect(findings).toMatchObject([
    { code: 'LIST_TOO_LONG', level: 'error', subject: 'master:upper-constraints.txt:20001' },
  ]);
});

test('given -r and -c, the lists beside it count: -c narrows and wants nothing', () => {
  const { wanted, constraints, findings } = listOf({
    'upper-constraints.txt': '-r lists/base.txt\n-c lists/held.txt\n-r lists/none.txt\n-r upper-constraints.txt',
    'lists/base.txt': 'lxml\n-r ../more.txt',
    'more.txt': 'pip==24',
    'lists/held.txt': 'lxml==5.3.0',
  });
  expect(wanted.map(({ name, place }) => `${place.file}:${place.line} ${name}`)).toEqual([
    'master:lists/base.txt:1 lxml',
    'master:more.txt:1 pip',
  ]);
  expect(constraints.map(({ specifiers }) => specifiers)).toEqual(['==5.3.0']);
  expect(findings).toMatchObject([{ code: 'LIST_LINE', subject: 'master:upper-constraints.txt:3' }]);
});

test('given a list whose lists are not known yet, it asks for them', () => {
  const files: Readonly<Record<string, string>> = { 'a.txt': '-r b.txt\n-r c.txt' };
  expect(readList('a.txt', (path) => files[path], String)).toEqual({ asks: ['b.txt', 'c.txt'] });
});

test('given letter and dated series, letters come first, and numbers are compared as numbers', () => {
  const branches = [
    'stable/2026.1',
    'stable/zed',
    'stable/2023.2',
    'stable/2023.10',
    'stable/antelope',
    'stable/2023.1',
  ];
  expect(inSeriesOrder(branches)).toEqual([
    ...['stable/antelope', 'stable/zed', 'stable/2023.1', 'stable/2023.2', 'stable/2023.10', 'stable/2026.1'],
  ]);
});
