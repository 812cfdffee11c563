import { readPom } from '../../src/plan/init/pom.js';
import { allows } from '../../src/plan/init/python-tags.js';
import { comment, scalar } from '../../src/plan/init/yaml.js';
import { parse } from 'yaml';

test.each([
  ['', 10, true],
  ['>=3.11', 10, false],
  ['>=3.11', 11, true],
  ['>=3.8,<3.12', 12, false],
  ['>=3.8, <3.12', 11, true],
  ['<3.12.4', 12, true],
  ['>3.10', 10, false],
  ['<=3.11', 11, true],
  ['~=3.10', 13, true],
  ['~=3.10.2', 11, false],
  ['==3.11.*', 12, false],
  ['!=3.11.*', 11, false],
  ['!=3.11.1', 11, true],
  ['^3.9', 13, true],
  ['>=3', 10, true],
  ['nonsense', 10, true],
])('the range %j and CPython 3.%i: %s', (range, minor, wanted) => {
  expect(allows(range, minor)).toBe(wanted);
});

describe('a POM', () => {
  test('is read without profiles, managed plugins and comments', () => {
    const pom = readPom(
      '<?xml version="1.0"?><project xmlns="x"><!-- <artifactId>no</artifactId> -->' +
        '<parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent>' +
        '<artifactId>a</artifactId><properties><revision>2.0</revision><empty/></properties>' +
        '<build><pluginManagement><plugins><plugin><artifactId>managed</artifactId></plugin></plugins></pluginManagement>' +
        '<plugins><plugin><artifactId>maven-source-plugin</artifactId></plugin></plugins></build>' +
        '<profiles><profile><modules><module>m</module></modules></profile></profiles></project>',
    );
    expect(pom).toEqual({
      groupId: 'g',
      artifactId: 'a',
      version: '1',
      parent: 'g:p',
      modules: [],
      properties: { revision: '2.0', empty: '' },
      plugins: ['maven-source-plugin'],
    });
  });

  test.each(['', 'text', '<html/>', '<!-- <project>', '<<<>>>'])('is none: %j', (text) => {
    expect(readPom(text)).toBeNull();
  });

  test('of hostile text is read in one pass', () => {
    // In quadratic time, each of these takes minutes and passes every limit of a test.
    for (const piece of ['<!-- ', '<a ', '<a/>', '</a>'])
      expect(readPom(`<project>${piece.repeat(80_000)}`)).toMatchObject({ artifactId: null });
  });

  test('that nests deeper than any is none', () => {
    expect(readPom(`<project>${'<a>'.repeat(80_000)}`)).toBeNull();
  });
});

test.each([
  'a',
  'yes',
  '1.0',
  "it's",
  'a: b',
  '#x',
  '- x',
  '{x}',
  "python -c 'import x'",
  'a\nb',
  '',
  '!x',
  '@x',
  '*x',
  '%',
  '`',
])('the scalar %j is read back as it was, on one line', (text) => {
  const wanted = text.replaceAll('\n', ' ');
  expect(parse(`[${scalar(text)}]`)).toEqual([wanted]);
  expect(parse(`k: ${scalar(text)}`)).toEqual({ k: wanted });
});

test('a comment stays a comment', () => {
  expect(parse(`${comment(`${'word '.repeat(60)}\nsteps: {}\u2028a: 1`)}\nk: 1`)).toEqual({ k: 1 });
});
