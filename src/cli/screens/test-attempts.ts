import type { Outcome } from '../../model/tests/outcome.js';
import type { TestAttempt } from '../tests/test-attempts.js';
import { duration } from '../render/duration.js';
import { first, plain, section, table, type Colours } from '../render/paint.js';

/** How an attempt of a cluster test ended: `passed`, or its code, class and the status of its program. */
export const attemptEnd = ({ code, class: kind, exit }: Pick<Outcome, 'code' | 'class' | 'exit'>): string =>
  code === null ? 'passed' : `${code} (${kind}${exit === null ? '' : `, status ${exit}`})`;

/** The nodes that a test lost, and when: `lost 127.0.0.3 after 41 s`. Empty if it lost none. */
export const lostNodes = ({ nodes }: Pick<Outcome, 'nodes'>): string =>
  nodes.lost.length === 0
    ? ''
    : `lost ${nodes.lost.map(({ node, atMs }) => `${node} after ${duration(atMs)}`).join(', ')}`;

const TOLD_ROWS = 24;

/** Returns the lines of tests that needed more than one attempt or lost nodes: the rest of the screen has only their last end. */
export function attemptLines(attempts: readonly TestAttempt[], paint: Colours): readonly string[] {
  const again = new Set(attempts.flatMap(({ step, attempt }) => (attempt > 1 ? [step] : [])));
  const told = attempts.filter(({ step, nodes }) => again.has(step) || nodes.lost.length > 0);
  const row = (one: TestAttempt): readonly string[] => [
    `  ${plain(one.step)}`,
    `attempt ${one.attempt}`,
    plain(attemptEnd(one)),
    plain(lostNodes(one)),
  ];
  const lines = first(told, TOLD_ROWS, (shown) => table(shown.map(row)), 'slipway status --json');
  return section(paint.bold('Attempts of tests'), lines);
}
