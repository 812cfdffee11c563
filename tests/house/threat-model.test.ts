import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const PAGE = read('docs/threat-model.md');
/** Text of a suite with its cases: another-user.test.ts has them in another-user/. */
function textOf(suite: string): string {
  const folder = suite.replace(/\.test\.ts$/, '');
  const cases = existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)) : [];
  return [suite, ...cases.map((file) => `${folder}/${file}`)].map(read).join('\n');
}
const suitesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`(tests\/[^`]+\.test\.ts)`/g)].map(([, file]) => file!);

/** Rows of the table under a heading, without its head. */
const rowsOf = (heading: string): readonly (readonly string[])[] =>
  (PAGE.split(`## ${heading}\n`)[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const FINDINGS = [
  'C1',
  'C2',
  'C3',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'H7',
  'H8',
  'H9',
  'M1',
  'M2',
  'M3',
  'M4',
  'M5',
  'M6',
  'M7',
  'M8',
  ...Array.from({ length: 10 }, (_, at) => `D${at + 1}`),
  'L',
];

test('given the suites that the threat model names, then each exists', () => {
  const named = suitesIn(PAGE);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('given each promise of the threat model, then it names a suite that attacks it', () => {
  const promises = rowsOf('Promises');
  expect(promises.length).toBeGreaterThan(10);
  expect(promises.filter((cells) => suitesIn(cells.at(-1) ?? '').length === 0)).toEqual([]);
});

test('given the actors of the threat model, then each attacks a promise, and nobody else does', () => {
  const actors = rowsOf('Actors').map(([actor]) => actor);
  const attackers = rowsOf('Promises').flatMap(([attacker = '']) => attacker.split('; '));
  expect([...new Set(attackers)].sort()).toEqual([...actors].sort());
});

test('given the findings of the review, then the threat model lists each one', () => {
  const told = new Set(rowsOf('Findings of the review').map(([finding]) => finding));
  expect(FINDINGS.filter((finding) => !told.has(finding))).toEqual([]);
});

test('given each finding, then a test of its name closes it, or it is accepted with a reason', () => {
  const open = rowsOf('Findings of the review').filter(([finding, , state = '']) => {
    if (/^accepted: .{20,}/.test(state)) return false;
    const suites = suitesIn(state).filter((file) => existsSync(join(ROOT, file)));
    return (
      !state.startsWith('closed: ') || !suites.some((file) => new RegExp(`[['](${finding})[\\] ]`).test(textOf(file)))
    );
  });
  expect(open).toEqual([]);
});
