import { untoldReasons } from '../../src/model/untold-reasons.js';
import { aRun, aStep } from '../cli/a-run.js';
import { aProblem } from '../engine/a-skeleton.js';
import { fc } from '../support/fixed-seed.js';

const runWith = (messages: readonly string[], reasons: readonly string[], own: readonly string[] = []) =>
  aRun({
    ...{ state: 'ended', verdict: { verdict: 'failed', reasons } },
    problems: own.map((message) => aProblem({ message })),
    steps: messages.map((message, at) => aStep(`s${at}`, 'runTest', 'failed', { problems: [aProblem({ message })] })),
  });
const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', ': ', '\u{1f6a2}'), maxLength: 6 }), {
  maxLength: 6,
});

test('given reasons and messages, then those reasons are left that end with no message', () => {
  fc.assert(
    fc.property(texts, texts, texts, (messages, reasons, own) => {
      const told = [...own, ...messages];
      const left = reasons.filter((reason) => !told.some((message) => reason.endsWith(message)));
      expect(untoldReasons(runWith(messages, reasons, own))).toEqual(left);
    }),
  );
});

/** CPU time in microseconds. One pass takes a tenth of a second; comparing each reason with each message takes many times as much. */
const MOST_MICROSECONDS = 5_000_000;

test('given 60,000 failed steps and as many reasons, then one pass finds what is left', () => {
  const many = (make: (at: number) => string) => Array.from({ length: 60_000 }, (_, at) => make(at));
  const reasons = many((at) => (at % 2 === 0 ? `tests/${at} failed: number ${at} broke` : `tests/${at} was left out`));
  const status = runWith(
    many((at) => `number ${at} broke`),
    reasons,
  );
  const before = process.cpuUsage();
  expect(untoldReasons(status)).toEqual(reasons.filter((_, at) => at % 2 === 1));
  expect(process.cpuUsage(before).user).toBeLessThan(MOST_MICROSECONDS);
});
