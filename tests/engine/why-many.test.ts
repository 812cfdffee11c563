import { colours } from '../../src/cli/render/paint.js';
import { whyLines } from '../../src/cli/screens/why.js';
import { why, type Why } from '../../src/engine/why/why.js';
import type { StepState, StepStatus } from '../../src/model/messages.js';
import type { Step } from '../../src/model/plan.js';
import { aRun, aStep } from '../cli/a-run.js';
import { aPlan, aStep as aPlanned, sha256 } from '../support/run-body.js';

const MANY = 5000;
const ASKED = 'tests/all';
const numbers = [...Array(MANY).keys()];
const step = (id: string, needs: readonly string[]): Step =>
  aPlanned('runTest', { run: 'true' } as never, { id, needs }) as Step;
const wide = numbers.map((at) => `wide/${at}`);
const chain = numbers.map((at) => `chain/${at}`);
/** A step with 5,000 needs, each of which stands at the end of the same chain of 5,000. */
const steps = [
  ...chain.map((id, at) => step(id, at > 0 ? [chain[at - 1]!] : [])),
  ...wide.map((id) => step(id, [chain.at(-1)!])),
  step(ASKED, wide),
];

/** Reads of edges are counted, not time: a machine may be busy. */
function asked(state: (id: string) => StepState, of = ASKED): { told: Why; lines: readonly string[]; reads: number } {
  let reads = 0;
  const counting = steps.map((one) => ({
    ...one,
    get needs() {
      reads++;
      return one.needs;
    },
  }));
  const status = aRun({ steps: steps.map(({ id }): StepStatus => aStep(id, 'runTest', state(id))) });
  const facts = { step: of, plan: aPlan({ steps: counting }), status, making: null, maker: null, windows: {} };
  const told = why(facts, sha256);
  return { told, lines: whyLines(told, undefined, colours(false)), reads };
}

test('given a step that waits for thousands, then `why` counts them by state and names the first few', () => {
  const { told, lines } = asked((id) => (id === 'wide/4321' ? 'held' : id.startsWith('wide') ? 'running' : 'waiting'));
  expect(told.because).toBe('waits for 5000 steps: 4999 running, 1 held');
  expect(lines.length).toBeLessThan(20);
  // What needs a person is not among those that are only counted.
  expect(lines[1]).toContain('needs wide/4321, which is held');
  expect(lines).toContain('  and 4988 more: slipway why --json');
});

test('given thousands of steps behind one chain, then the chain is read once', () => {
  const { told, lines, reads } = asked((id) => (id === 'chain/0' ? 'held' : 'waiting'));
  expect(told.waits).toHaveLength(MANY);
  expect(told.waits!.at(-1)!.because).toContain('at the bottom of that chain/0 is held');
  expect(lines.length).toBeLessThan(20);
  expect(reads).toBeLessThan(4 * steps.length);
});

test('given a long chain of skipped steps, then `why` names both ends', () => {
  const { told, lines } = asked((id) => (id === 'chain/0' ? 'failed' : 'skipped'));
  expect(told.chain).toHaveLength(MANY + 2);
  expect(lines.length).toBeLessThan(20);
  expect(lines.join('\n').length).toBeLessThan(2000);
  expect(lines.at(-1)).toContain('because of chain/0');
  expect(lines.join('\n')).toContain(`… ${MANY + 1 - 12} between: slipway why --json`);
});
