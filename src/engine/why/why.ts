import type { Hash } from '../../model/digest.js';
import { tally } from '../../model/grouped.js';
import type { Queue, StepId } from '../../model/ids.js';
import { lostSentence } from '../../model/lost-worker.js';
import type { RunStatus, StepState, StepStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { wasRebuilt, whyMade, whyReused, type MadeAnew, type Making, type RunName } from './made.js';
import { whyNotPlanned } from './planned.js';
import { chainDown, type Link } from './skipped.js';
import { waitsOf, type Wait } from './waits.js';

/** Explanation of a step, from its plan, the store and the status of the run. */
export interface Why {
  readonly step: StepId;
  readonly state: StepState;
  readonly because: string;
  /** Why a step that ran was not reused. */
  readonly made?: MadeAnew;
  /** The run that made a reused result. */
  readonly maker?: RunName;
  readonly waits?: readonly Wait[];
  /** The chain from a skipped step to its cause. */
  readonly chain?: readonly Link[];
  /** The command to type. */
  readonly next?: string;
}

export interface WhyFacts {
  readonly step: StepId;
  readonly plan: Plan;
  readonly status: RunStatus;
  readonly making: Making | null;
  readonly maker: RunName | null;
  readonly windows: Readonly<Record<Queue, number>>;
}

export function why(facts: WhyFacts, hash: Hash): Why {
  const { step, plan, status, making } = facts;
  const left = whyNotPlanned(step, plan);
  if (left !== null) return left;
  // A status that was truncated for Temporal lacks successful steps.
  const stand = status.steps.find(({ id }) => id === step) ?? bare(step, making);
  const made = making === null ? {} : { made: whyMade(making, hash) };
  const told = TELLS[stand.state]({ facts, stand, ...made });
  const again = (stand.lost ?? []).map((one) => `; begun again: ${lostSentence(one)}`).join('');
  return { step, state: stand.state, ...told, because: `${told.because}${again}` };
}

const bare = (id: StepId, making: Making | null): StepStatus => ({
  ...{ id, kind: making?.kind ?? null, stage: null, attempt: 1 },
  state: making?.result == null ? 'waiting' : 'done',
});

interface Seen {
  readonly facts: WhyFacts;
  readonly stand: StepStatus;
  readonly made?: MadeAnew;
}
type Told = Omit<Why, 'step' | 'state'> & Partial<Pick<Why, 'state'>>;

/** The explanation for each state of a step. */
export const TELLS: Readonly<Record<StepState, (seen: Seen) => Told>> = {
  done: (seen) => (foundAgain(seen.facts) ? wasReused(seen) : wasMade('ran', seen)),
  cached: (seen) => wasReused(seen),
  running: (seen) => (seen.stand.queued ? notTaken(seen) : { ...wasMade('is running', seen), ...workerWaits(seen) }),
  waiting: (seen) => waiting(seen),
  'backing off': ({ stand, made }) => ({
    because: `tries again: ${stand.because ?? ''}${met(stand)}`,
    ...ofMaking(made),
  }),
  held: (seen) => held(seen),
  'at gate': ({ stand: { because, gate } }) => ({
    because: `is at its gate: ${because ?? ''}`,
    ...(gate && { next: gate.next }),
  }),
  failed: ({ stand, made }) => ({ because: `failed${met(stand)}`, ...ofMaking(made), ...nextOf(stand) }),
  skipped: (seen) => (seen.stand.tolerated ? tolerated(seen) : stopped('was skipped', seen)),
  cancelled: (seen) => stopped('was cancelled', seen),
  dropped: ({ stand }) => ({ because: stand.because ?? '' }),
};

/** Whether a later attempt adopted a reused result of an earlier one. */
const foundAgain = ({ maker, making }: WhyFacts): boolean =>
  maker !== null && making !== null && !making.fresh && !making.notLookedUp && !wasRebuilt(making);

function wasReused({ facts: { making, maker } }: Seen): Told {
  const why = making === null ? 'its result was known' : whyReused(making, maker);
  return { state: 'cached', because: `was reused: ${why}`, ...(maker && { maker }) };
}

const ofMaking = (made: MadeAnew | undefined): Pick<Why, 'made'> => (made === undefined ? {} : { made });

const wasMade = (did: string, { made }: Seen): Told =>
  made === undefined ? { because: did } : { because: `${did}: ${made.because}`, made };

/** Returns what a running step waits for, as its worker reports. */
const workerWaits = ({ stand: { because } }: Seen): Pick<Why, 'waits'> =>
  because === undefined ? {} : { waits: [{ for: 'service', because }] };

/** A scheduled step that no worker took. Its queue is served, otherwise another answer applies. */
function notTaken({ facts: { step, plan }, made }: Seen): Told {
  const on = plan.steps.find(({ id }) => id === step)!.on;
  const because = `it was given to the queue ${on}, and no worker has a free slot for it yet`;
  const waits = [{ for: 'worker', because, next: 'slipway workers' }] as const;
  return { because: `waits: ${because}`, waits, ...ofMaking(made) };
}

function waiting({ facts: { step, plan, status, windows } }: Seen): Told {
  const waits = waitsOf(step, plan, status, windows);
  const [first] = waits;
  if (waits.length === 1) return { because: first!.because.replace(/^(?!waits for )/, 'waits: '), waits };
  return { because: `waits for ${waits.length} steps${countedByState(waits, status)}`, waits };
}

/** `: 1 held, 4 running, 4995 waiting`. */
function countedByState(waits: readonly Wait[], { steps }: RunStatus): string {
  const named = new Set(waits.map(({ step }) => step));
  const counts = tally(steps.filter(({ id }) => named.has(id)).map(({ state }) => state));
  return `: ${[...counts].map(([state, count]) => `${count} ${state}`).join(', ')}`;
}

function held({ facts: { step }, stand, made }: Seen): Told {
  const why = stand.problems?.[0] === undefined ? `: ${stand.because ?? ''}` : met(stand);
  const next = `slipway retry ${step}, or slipway skip ${step} --reason '…'`;
  return { because: `is held${why}`, ...ofMaking(made), next };
}

function stopped(how: string, { facts: { step, plan, status }, stand }: Seen): Told {
  const chain = chainDown(step, plan, new Map(status.steps.map((one) => [one.id, one])));
  return { because: `${how}: ${stand.because ?? 'no reason is told'}`, ...(chain.length > 1 && { chain }) };
}

const tolerated = ({ stand, made }: Seen): Told => ({
  because: `failed${met(stand)}; which is tolerated: ${stand.because ?? ''}`,
  ...{ ...ofMaking(made), ...nextOf(stand) },
});

const met = ({ problems }: StepStatus): string =>
  problems?.[0] === undefined ? '' : `: ${problems[0].code}: ${problems[0].message}`;

const nextOf = ({ problems }: StepStatus): Pick<Why, 'next'> =>
  problems?.[0] === undefined ? {} : { next: problems[0].next };
