import type { Hash } from '../../model/digest.js';
import type { Queue, StepId } from '../../model/ids.js';
import type { RunStatus, StepState, StepStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { whyMade, whyReused, type MadeAnew, type Making, type RunName } from './made.js';
import { chainDown, type Link } from './skipped.js';
import { waitsOf, type Wait } from './waits.js';

/** Why a step is what it is, drawn from the plan, what stands in the store and what the run tells. */
export interface Why {
  readonly step: StepId;
  readonly state: StepState;
  /** One sentence. */
  readonly because: string;
  /** Of a step that was made, or is being made: why it was not reused. */
  readonly made?: MadeAnew;
  /** Of a reused one: who made it. */
  readonly maker?: RunName;
  readonly waits?: readonly Wait[];
  /** Of a skipped one: down to the step that is behind it. */
  readonly chain?: readonly Link[];
  /** What to type. */
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
  const left = plan.dropped.find(({ id }) => id === step);
  if (left !== undefined)
    return {
      step,
      state: 'dropped',
      because: `was left out of the plan: ${left.because}`,
      next: 'Change that in the release file to have it.',
    };
  // A status that was cut to what Temporal carries tells nothing of what went well.
  const stand = status.steps.find(({ id }) => id === step) ?? bare(step, making);
  const answer = { step, state: stand.state };
  const made = making === null ? {} : { made: whyMade(making, hash) };
  const problem = stand.problems?.[0];
  switch (stand.state) {
    case 'done':
      return { ...answer, because: madeBecause('ran', made.made), ...made };
    case 'cached':
      return { ...answer, because: `was reused: ${reused(facts)}`, ...(facts.maker && { maker: facts.maker }) };
    case 'running':
      return { ...answer, because: madeBecause('is running', made.made), ...made, ...told(stand) };
    case 'waiting': {
      const waits = waitsOf(step, plan, status, facts.windows);
      return {
        ...answer,
        because: waits.length === 1 ? `waits: ${waits[0]!.because}` : `waits for ${waits.length} steps`,
        waits,
      };
    }
    case 'backing off':
      return { ...answer, because: `tries again: ${stand.because ?? ''}${met(stand)}`, ...made };
    case 'held':
      return {
        ...answer,
        because: `is held: ${problem ? `${problem.code}: ${problem.message}` : (stand.because ?? '')}`,
        ...made,
        next: `slipway retry ${step}, or slipway skip ${step} --reason '…'`,
      };
    case 'at gate':
      return {
        ...answer,
        because: `stands at its gate: ${stand.because ?? ''}`,
        ...(stand.gate && { next: stand.gate.next }),
      };
    case 'failed':
      return { ...answer, because: `failed${met(stand)}`, ...made, ...(problem && { next: problem.next }) };
    case 'skipped':
    case 'cancelled':
      return {
        ...answer,
        because: `${stand.state === 'skipped' ? 'was skipped' : 'was cancelled'}: ${stand.because ?? 'no reason is told'}`,
        ...chained(facts),
      };
    case 'dropped':
      return { ...answer, because: stand.because ?? '' };
    default:
      return stand.state satisfies never;
  }
}

const bare = (id: StepId, making: Making | null): StepStatus => ({
  ...{ id, kind: making?.kind ?? null, stage: null, attempt: 1 },
  state: making?.result == null ? 'waiting' : 'done',
});

const madeBecause = (did: string, made: MadeAnew | undefined): string =>
  made === undefined ? did : `${did}: ${made.because}`;

const reused = ({ making, maker }: WhyFacts): string =>
  making === null ? 'its result was known' : whyReused(making, maker);

const met = ({ problems }: StepStatus): string =>
  problems?.[0] === undefined ? '' : `: ${problems[0].code}: ${problems[0].message}`;

/** What keeps a running step from going on, as its worker says. */
const told = ({ because }: StepStatus): Pick<Why, 'waits'> =>
  because === undefined ? {} : { waits: [{ for: 'service', because }] };

function chained({ step, plan, status }: WhyFacts): Pick<Why, 'chain'> {
  const chain = chainDown(step, plan, new Map(status.steps.map((one) => [one.id, one])));
  return chain.length > 1 ? { chain } : {};
}
