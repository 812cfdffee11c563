import { readPom } from '../../src/plan/pom.js';
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
  ['>3.10', 10, true],
  ['>3.10', 9, false],
  ['~3.11', 12, false],
  ['3.11', 11, true],
  ['~=3.11', 10, false],
  ['<=3.11', 11, true],
  ['~=3.10', 13, true],
  ['~=3.10.2', 11, false],
  ['==3.11.*', 12, false],
  ['!=3.11.*', 11, false],
  ['!=3.11.1', 11, true],
  ['^3.9', 13, true],
  ['>=3', 10, true],
  ['~3.11.1', 12, false],
  ['3.11.*', 10, false],
  ['3.11.*', 11, true],
  ['3.11.1', 12, false],
  ['~ 3.11', 12, false],
  ['==3.11', 11, true],
  ['nonsense', 10, true],
])('given the range %j, then CPython 3.%i is allowed: %s', (range, minor, wanted) => {
  expect(allows(range, minor)).toBe(wanted);
});

describe('a POM', () => {
  test('when it is read, then profiles, managed plugins and comments are ignored', () => {
    const pom = readPom(
      '<?xml version="1.0"?><project xmlns="x"><!-- <artifactId>no</artifactId> -->' +
        '<parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent>' +
        '<artifactId>a</artifactId><properties><revision>2.0</revision><empty/></properties>' +
        '<build><pluginManagement><plugins><plugin><artifactId>managed</artifactId></plugin></plugins></pluginManagement>' +
        '<plugins><plugin><artifactId>maven-source-plugin</artifactId></plugin></plugins></build>' +
        '<profiles><profile><modules><module>m</module></modules></profile></profiles></project>',
    );
    expect(pom).toEqual({
      isProject: true,
      packaging: 'jar',
      ownLifecycle: true,
      groupId: 'g',
      artifactId: 'a',
      version: '1',
      parent: 'g:p',
      modules: [],
      properties: { revision: '2.0', empty: '' },
      plugins: ['maven-source-plugin'],
    });
  });

  test.each(['', 'text', '<html/>', '<!-- <project>', '<<<>>>'])('given the text %j, then it is not a POM', (text) => {
    expect(readPom(text).isProject).toBe(false);
  });

  test('given hostile text of 80,000 tags, then it is read in linear time', () => {
    // In quadratic time, each of these takes minutes and passes every limit of a test.
    for (const piece of ['<!-- ', '<a ', '<a/>', '</a>'])
      expect(readPom(`<project>${piece.repeat(80_000)}`)).toMatchObject({ artifactId: null });
  });

  test('given a POM nested 80,000 levels deep, then it is not a POM', () => {
    expect(readPom(`<project>${'<a>'.repeat(80_000)}`).isProject).toBe(false);
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
])('given the scalar %j, then it is written on one line and read back unchanged', (text) => {
  const wanted = text.replaceAll('\n', ' ');
  expect(parse(`[${scalar(text)}]`)).toEqual([wanted]);
  expect(parse(`k: ${scalar(text)}`)).toEqual({ k: wanted });
});

test('given a comment with line breaks, then YAML still reads it as a comment', () => {
  expect(parse(`${comment(`${'word '.repeat(60)}\nsteps: {}\u2028a: 1`)}\nk: 1`)).toEqual({ k: 1 });
});
