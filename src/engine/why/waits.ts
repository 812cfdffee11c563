import type { Queue, StepId } from '../../model/ids.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { poolOf, type Plan, type Step } from '../../model/plan.js';
import type { Pool } from '../../model/tests/cluster.js';
import { EDGE_KINDS, type EdgeKind } from '../run/edges.js';
import { waitSentences, type Wait as Waited } from '../outages/sentences.js';

export const WAITS_FOR = ['step', 'gate', 'worker', 'place', 'service', 'action', 'other'] as const;

export interface Wait {
  readonly for: (typeof WAITS_FOR)[number];
  readonly because: string;
  readonly step?: StepId;
  readonly next?: string;
}

/** Returns what a waiting step waits for: earlier steps, else people, a worker, a service or a slot.
 * @param windows limits of concurrent steps, by queue */
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
  if (before.length > 0) {
    const bottoms = new Bottoms(steps, stands);
    const urgent = before.map((one) => ({ one, root: bottoms.of(one.status) }));
    urgent.sort((a, b) => OPEN.indexOf(a.root.state) - OPEN.indexOf(b.root.state));
    return urgent.map(({ one, root }) => stepWait(one, root));
  }
  return [besides(step, stands.get(id), plan, status, windows)];
}

interface Before {
  readonly edge: EdgeKind;
  readonly status: StepStatus;
}
/** Sorts states that need a person first, those that continue by themselves last. */
const OPEN: readonly StepStatus['state'][] = ['held', 'at gate', 'backing off', 'running', 'waiting'];

const openBefore = (step: Step, stands: ReadonlyMap<StepId, StepStatus>): readonly Before[] =>
  EDGE_KINDS.flatMap((edge) =>
    step[edge].flatMap((id) => {
      const status = stands.get(id);
      return status !== undefined && OPEN.includes(status.state) ? [{ edge, status }] : [];
    }),
  );

const SAYS: Readonly<Record<EdgeKind, string>> = { needs: 'needs', wants: 'wants', after: 'comes after' };

function stepWait({ edge, status }: Before, root: StepStatus): Wait {
  const behind = root.id === status.id ? '' : `; at the bottom of that ${root.id} ${standing(root)}`;
  const next = actionFor(root);
  return {
    for: root.state === 'at gate' ? 'gate' : 'step',
    step: status.id,
    because: `${SAYS[edge]} ${status.id}, which ${standing(status)}${behind}`,
    ...(next !== undefined && { next }),
  };
}

/** Returns the command to type if everything waits for a person. */
const actionFor = ({ id, state, gate }: StepStatus): string | undefined =>
  state === 'held' ? `slipway retry ${id}, or slipway skip ${id} --reason '…'` : gate?.next;

/** Follows open edges down to a step that waits for no other step. Visits each step once, because thousands may share a
 * dependency. */
class Bottoms {
  readonly #known = new Map<StepId, StepStatus>();

  constructor(
    private readonly steps: ReadonlyMap<StepId, Step>,
    private readonly stands: ReadonlyMap<StepId, StepStatus>,
  ) {}

  of(first: StepStatus): StepStatus {
    const way = new Set<StepId>();
    let at = first;
    for (;;) {
      const next =
        at.state === 'waiting' && !way.has(at.id) ? (this.#known.get(at.id) ?? this.below(at.id)) : undefined;
      if (next === undefined) break;
      way.add(at.id);
      at = next;
    }
    for (const id of way) this.#known.set(id, at);
    return at;
  }

  private below(id: StepId): StepStatus | undefined {
    const step = this.steps.get(id)!;
    let first: StepStatus | undefined;
    for (const edge of EDGE_KINDS)
      for (const one of step[edge]) {
        const status = this.stands.get(one);
        if (status === undefined || !OPEN.includes(status.state)) continue;
        if (status.state !== 'waiting') return status;
        first ??= status;
      }
    return first;
  }
}

function standing({ state, because, problems }: StepStatus): string {
  const why = problems?.[0] === undefined ? because : `${problems[0].code}: ${problems[0].message}`;
  const told = why === undefined ? '' : ` (${why})`;
  if (state === 'running') return `is running${told}`;
  if (state === 'backing off') return `tries again${told}`;
  if (state === 'held') return `is held${told}`;
  if (state === 'at gate') return `is at its gate${told}`;
  return `waits${told}`;
}

/** Obstacles of a step whose edges are open. */
function besides(
  step: Step,
  stand: StepStatus | undefined,
  plan: Plan,
  status: RunStatus,
  windows: Readonly<Record<Queue, number>>,
): Wait {
  const { on } = step;
  if (status.paused !== undefined)
    return { for: 'action', because: `the run is paused: ${status.paused}`, next: 'slipway resume' };
  const queue = status.waiting?.find((one) => one.queue === on);
  if (queue !== undefined) return told('worker', queue);
  const outage = status.outages?.find((one) => one.until === undefined && stand?.because?.includes(one.service));
  if (outage !== undefined) return told('service', outage);
  if (stand?.because !== undefined) return { for: 'other', because: stand.because };
  if (status.waits !== undefined) return { for: 'other', because: `the run waits: ${status.waits}` };
  const pool = fullPool(step, plan, status);
  if (pool !== null) {
    const of = step.pool === undefined ? `the pool ${pool.name}` : pool.name;
    return { for: 'place', because: `every place of ${of} is taken, ${pool.limit} of ${pool.limit}` };
  }
  const onQueue = new Set(plan.steps.filter((one) => one.on === on).map(({ id }) => id));
  const running = status.steps.filter(({ id, state }) => state === 'running' && onQueue.has(id));
  const window = windows[on] ?? Infinity;
  if (running.length < window) return { for: 'other', because: 'no step blocks it: it is about to start' };
  const because = `every place of the queue ${on} is taken, ${window} steps are under way; the longest remaining path goes first`;
  return { for: 'place', because };
}

function told(what: Wait['for'], wait: Waited): Wait {
  const sentences = waitSentences(wait, null);
  return { for: what, because: sentences.slice(0, -1).join(': '), next: sentences.at(-1)! };
}

/** Returns the pool of a step if steps that run hold all of its places. */
function fullPool(step: Step, plan: Plan, status: RunStatus): Pool | null {
  const pool = poolOf(step);
  if (pool === null) return null;
  const members = new Set(plan.steps.filter((one) => poolOf(one)?.name === pool.name).map(({ id }) => id));
  const taken = status.steps.filter(({ id, state }) => state === 'running' && members.has(id)).length;
  return taken >= pool.limit ? pool : null;
}
