import { crashPattern } from '../../../src/model/tests/crash-pattern.js';
import { fc } from '../../support/fixed-seed.js';

const trace = (folder: string, line: number, error: string): string[] => [
  'Traceback (most recent call last):',
  `  File "${folder}/spread.py", line ${line}, in main`,
  '    raise RuntimeError(3)',
  error,
];

test('given the same crash in another folder, at another line and time, then the pattern is the same', () => {
  const patterns = [
    crashPattern(['2026-11-22 ok', ...trace('/tmp/a1', 10, 'RuntimeError: node 3 is dead'), 'end']),
    crashPattern(trace('/home/ray/b', 99, 'RuntimeError: node 12 is dead')),
  ];
  expect(patterns[0]).toBe('spread.pyline , in mainraise RuntimeError()RuntimeError: node  is dead');
  expect(patterns[1]).toBe(patterns[0]);
});

test('given several traces, then the last one counts, and one below ERROR precedes all others', () => {
  const first = trace('/a', 1, 'ValueError: first');
  const last = trace('/a', 1, 'ValueError: last');
  expect(crashPattern([...first, ...last])).toContain('last');
  expect(crashPattern(['12:00 ERROR it broke', ...first, 'between', ...last])).toMatch(/^: ERROR it broke.*first$/);
});

test.each<[string, string[], string]>([
  ['no trace', ['all is well'], ''],
  ['no lines', [], ''],
  ['a trace without an end', ['Traceback (most recent call last):'], ''],
  ['ERROR in the last line', ['12:00 ERROR'], ': ERROR'],
  ['two lines with ERROR', ['ERROR a', 'ERROR b', 'ERROR c'], 'ERROR c'],
])('given %s, then the pattern is %j', (_what, lines, pattern) => {
  expect(crashPattern(lines)).toBe(pattern);
});

test('given any output, then the pattern has at most 4000 characters', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 3000 }),
    fc.constantFrom('Traceback (most recent call last)', '\t', ' x', 'ERROR', `File "${'File "'.repeat(300)}", x`),
  );
  fc.assert(fc.property(fc.array(line, { maxLength: 120 }), (lines) => crashPattern(lines).length <= 4000));
});
