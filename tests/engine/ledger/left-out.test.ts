import { leftOut, skipsIn, whyAbsent } from '../../../src/engine/ledger/left-out.js';
import type { Plan } from '../../../src/model/plan.js';
import type { Audited } from '../../../src/model/actions.js';
import { aProblem } from '../a-skeleton.js';

const plan = {
  steps: [
    { id: 'source', needs: [] },
    { id: 'a', needs: ['source'] },
    { id: 'image', needs: ['a'] },
    { id: 'test', needs: ['image'] },
  ],
} as unknown as Plan;
const said = (step: string, ok = true): Audited => ({
  no: 1,
  at: 0,
  sent: { action: 'skip', step, reason: 'no macOS today', by: 'kim' },
  answer: ok ? { ok: true, did: '', steps: [step] } : { ok: false, problem: aProblem() },
});

test("given a tolerated failure, then its reason is reported; an operator's skip has precedence", () => {
  const tolerated = { steps: plan.steps.map((step) => (step.id === 'image' ? { ...step, tolerate: 'jailed' } : step)) };
  const because = (...words: readonly Audited[]) =>
    leftOut(['image', 'test'], whyAbsent(tolerated as unknown as Plan, new Set(), skipsIn(words))).map(
      (one) => one.because,
    );
  expect(because()).toEqual([
    'it failed, which is tolerated: jailed',
    'needs image, which was left out: it failed, which is tolerated: jailed',
  ]);
  expect(because(said('a'))[0]).toBe('needs a, which was left out: no macOS today (kim)');
});

test('given a skipped step, then every step that needs it, directly or not, names it', () => {
  const why = whyAbsent(plan, new Set(), skipsIn([said('a'), said('source', false)]));
  expect(leftOut(['test', 'a', 'image'], why)).toEqual([
    { id: 'a', because: 'no macOS today (kim)' },
    { id: 'image', because: 'needs a, which was left out: no macOS today (kim)' },
    { id: 'test', because: 'needs a, which was left out: no macOS today (kim)' },
  ]);
});

test('given a needed step with a result, then it explains nothing, although it was skipped once', () => {
  const skips = skipsIn([said('a')]);
  expect(whyAbsent(plan, new Set(['a']), skips)('test')).toBeNull();
  expect(whyAbsent(plan, new Set(['source']), skips)('test')).toBe('needs a, which was left out: no macOS today (kim)');
});
