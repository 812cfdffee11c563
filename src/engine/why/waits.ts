import type { Queue, StepId } from '../../model/ids.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import type { Plan, Step } from '../../model/plan.js';
import { whoCould } from '../absence.js';
import { EDGE_KINDS, type EdgeKind } from '../edges.js';
import { outageSentences } from '../outage-sentences.js';

/** What a step can wait for. */
export const WAITS_FOR = ['step', 'gate', 'worker', 'place', 'service', 'word', 'other'] as const;

/** One thing that keeps a step from going on. */
export interface Wait {
  readonly for: (typeof WAITS_FOR)[number];
  readonly because: string;
  readonly step?: StepId;
  readonly next?: string;
}

/** What a step waits for that has not begun: the steps before it, else people, a worker, a service or a place.
 * @param windows steps that may be under way at once, by queue */
export function waitsOf(
  id: StepId,
  plan: Plan,
  status: RunStatus,
  windows: Readonly<Record<Queue, number>>,
): readonly Wait[] {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const stands = new Map(status.steps.map((step) => [step.id, step]));
  const step = steps.get(id)!;
  const before = openBefore(step, stands);
  if (before.length > 0) return before.map((one) => stepWait(one, steps, stands));
  return [besides(step, stands.get(id), plan, status, windows)];
}

interface Before {
  readonly edge: EdgeKind;
  readonly status: StepStatus;
}
const OPEN: readonly StepStatus['state'][] = ['waiting', 'running', 'backing off', 'held', 'at gate'];

const openBefore = (step: Step, stands: ReadonlyMap<StepId, StepStatus>): readonly Before[] =>
  EDGE_KINDS.flatMap((edge) =>
    step[edge].flatMap((id) => {
      const status = stands.get(id);
      return status !== undefined && OPEN.includes(status.state) ? [{ edge, status }] : [];
    }),
  );

const SAYS: Readonly<Record<EdgeKind, string>> = { needs: 'needs', wants: 'wants', after: 'comes after' };

function stepWait(
  { edge, status }: Before,
  steps: ReadonlyMap<StepId, Step>,
  stands: ReadonlyMap<StepId, StepStatus>,
): Wait {
  const root = status.state === 'waiting' ? firstMover(status, steps, stands) : null;
  const behind = root === null || root.id === status.id ? '' : `; at the bottom of that ${root.id} ${standing(root)}`;
  const next = wordFor(root ?? status);
  return {
    for: (root ?? status).state === 'at gate' ? 'gate' : 'step',
    step: status.id,
    because: `${SAYS[edge]} ${status.id}, which ${standing(status)}${behind}`,
    ...(next !== undefined && { next }),
  };
}

/** What to type where a person's word is what all of it waits for. */
const wordFor = ({ id, state, gate }: StepStatus): string | undefined =>
  state === 'held' ? `slipway retry ${id}, or slipway skip ${id} --reason '…'` : gate?.next;

/** Down the open edges to one that does not wait for another step. */
function firstMover(
  first: StepStatus,
  steps: ReadonlyMap<StepId, Step>,
  stands: ReadonlyMap<StepId, StepStatus>,
): StepStatus {
  let at = first;
  for (let left = steps.size; left > 0 && at.state === 'waiting'; left--) {
    const below = openBefore(steps.get(at.id)!, stands).map(({ status }) => status);
    const next = below.find(({ state }) => state !== 'waiting') ?? below[0];
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

function standing({ state, because, problems }: StepStatus): string {
  const why = problems?.[0] === undefined ? because : `${problems[0].code}: ${problems[0].message}`;
  const told = why === undefined ? '' : ` (${why})`;
  if (state === 'running') return `is running${told}`;
  if (state === 'backing off') return `tries again${told}`;
  if (state === 'held') return `is held${told}`;
  if (state === 'at gate') return `stands at its gate${told}`;
  return `waits${told}`;
}

/** Nothing stands before it in the graph. */
function besides(
  { on }: Step,
  stand: StepStatus | undefined,
  plan: Plan,
  status: RunStatus,
  windows: Readonly<Record<Queue, number>>,
): Wait {
  if (status.paused !== undefined)
    return { for: 'word', because: `the run is paused: ${status.paused}`, next: 'slipway resume' };
  const queue = status.waiting?.find((one) => one.queue === on);
  if (queue !== undefined) return { for: 'worker', because: `nobody serves its queue ${on}`, next: whoCould(on) };
  const outage = status.outages?.find((one) => one.until === undefined && stand?.because?.includes(one.service));
  if (outage !== undefined) {
    const [because, next] = outageSentences(outage, null);
    return { for: 'service', because, next };
  }
  if (stand?.because !== undefined) return { for: 'other', because: stand.because };
  const onQueue = new Set(plan.steps.filter((step) => step.on === on).map(({ id }) => id));
  const running = status.steps.filter(({ id, state }) => state === 'running' && onQueue.has(id));
  const window = windows[on] ?? Infinity;
  if (running.length < window)
    return { for: 'other', because: 'nothing stands before it any more: it is about to start' };
  const because = `every place of the queue ${on} is taken, ${window} steps are under way; the longest remaining path goes first`;
  return { for: 'place', because };
}
