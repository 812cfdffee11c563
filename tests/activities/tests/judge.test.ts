import { judge, type Ended } from '../../../src/activities/tests/run-test.js';
import { LineWatch } from '../../../src/activities/tests/line-watch.js';

const ended = (more: Partial<Ended> = {}): Ended => ({
  step: 'tests/venv',
  exit: { code: 0, timedOut: false },
  limitMs: 120_000,
  expect: 'skiff 1',
  lineSeen: true,
  result: 'result.json',
  resultThere: true,
  lastLines: ['last'],
  details: {},
  ...more,
});

describe('the verdict on a test', () => {
  test.each([
    ['as promised', {}, null],
    ['with nothing promised', { expect: null, lineSeen: false, result: null, resultThere: false }, null],
    ['with another status', { exit: { code: 3, timedOut: false } }, 'TEST_FAILED'],
    ['by its limit', { exit: { code: 137, timedOut: true } }, 'TEST_TIMED_OUT'],
    ['without its line', { lineSeen: false }, 'EXPECTED_LINE_ABSENT'],
    ['without its file', { resultThere: false }, 'RESULT_ABSENT'],
    [
      'with a status that says more than the absent line',
      { exit: { code: 1, timedOut: false }, lineSeen: false },
      'TEST_FAILED',
    ],
  ] as const)('given a test that ended %s, then the code is as expected', (_, more, code) => {
    expect(judge(ended(more))?.code ?? null).toBe(code);
  });

  test('given a missing module, then the next step says where to add it', () => {
    const lastLines = ['Traceback', "ModuleNotFoundError: No module named 'pyasn1'"];
    expect(judge(ended({ exit: { code: 1, timedOut: false }, lastLines }))!.next).toMatch(/pyasn1 .*`deps`.*`needs`/);
  });

  test('given more output on the expected line, then the problem shows it', () => {
    expect(judge(ended({ lineSeen: false, lastLines: ['skiff 1 sails'] }))!.message).toContain('"skiff 1 sails"');
  });

  test('given a failure, then the problem has the last lines', () => {
    expect(judge(ended({ lineSeen: false }))).toMatchObject({ class: 'product', evidence: ['last'] });
  });
});

describe('an expected line', () => {
  const seen = (expected: string, ...pieces: string[]): boolean => {
    const watch = new LineWatch(expected);
    pieces.forEach((piece) => watch.push(piece));
    return watch.end();
  };
  test.each([
    ['in one piece', ['a\nskiff 1\nb\n'], true],
    ['cut anywhere', ['a\nski', 'ff 1', '\n'], true],
    ['at the end without its end', ['skiff 1'], true],
    ['with white space around it', ['  skiff 1 \r\n'], true],
    ['as a part of a line only', ['the skiff 1 sank\n'], false],
    ['never', ['skiff 2\n'], false],
  ] as const)('given output %s, then the line is seen or not', (_, pieces, expected) => {
    expect(seen('skiff 1', ...pieces)).toBe(expected);
  });
});
