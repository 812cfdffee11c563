import type { Recent } from '../../client/index.js';
import { counted } from '../../model/counted.js';
import { duration } from '../render/duration.js';
import { plain, table } from '../render/paint.js';

const HEAD = ['RUN', 'STATE', 'WAITS FOR', 'AGE', 'TOOK', 'RUN ID'];

/** Returns a table of runs. */
export const runLines = (runs: readonly Recent[], nowMs: number): string[] =>
  table([HEAD, ...runs.map((run) => row(run, nowMs))]);

function row(run: Recent, nowMs: number): readonly string[] {
  const { workflowId, startedAt, endedAt } = run;
  const took = endedAt === undefined ? '-' : duration(endedAt - startedAt);
  return [workflowId, stateOf(run), waitsFor(run), duration(nowMs - startedAt), took, run.run].map(plain);
}

const stateOf = ({ open, state, verdict }: Recent): string => (open ? (state ?? 'planning') : (verdict ?? 'ended'));

function waitsFor({ open, state, held = 0 }: Recent): string {
  if (!open) return '-';
  if (held > 0) return `an action: ${counted(held, 'step')} held`;
  return state === 'at gate' ? 'approvals' : state === 'paused' ? 'slipway resume' : '-';
}
