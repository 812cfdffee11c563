import { grouped } from '../../model/grouped.js';
import type { StepId } from '../../model/ids.js';
import type { CacheState } from '../../model/index-refresh.js';
import type { RunStatus, StepState, StepStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import type { Row, Rows } from '../../model/rows.js';

/** A wanted version on one platform and Python. */
export interface CacheWheel extends Pick<Row, 'origin'> {
  /** `lxml==5.3.0` */
  readonly wheel: string;
  /** `debian-12 cp311` */
  readonly target: string;
  readonly state: CacheState;
  readonly because: string;
  /** Step that builds it, if the plan has one. */
  readonly step?: StepId;
}

/** A run, and the plan that it carries out. */
export interface JudgedRun {
  readonly plan: Plan;
  readonly rows: Rows | null;
  readonly status: RunStatus;
}

/** States of the verdicts that no run changes. */
const SETTLED: Readonly<Record<string, CacheState>> = {
  ...{ upstream: 'upstream', here: 'here', known: 'known', unanswered: 'unanswered', impossible: 'impossible' },
  ...{ 'left out': 'left out', 'failed before': 'failed' },
};

/** Returns all wanted wheels: what planning judged, and what became of those that the run builds. */
export function cacheWheels({ plan, rows, status }: JudgedRun): readonly CacheWheel[] {
  const steps = new Map(status.steps.map((step) => [step.id, step]));
  const needs = new Map(plan.steps.map((step) => [step.id, step.needs]));
  const listing = listingSteps(plan);
  return Object.entries(rows?.rows ?? {})
    .filter(([id]) => id.startsWith('wheels/'))
    .flatMap(([, all]) => all)
    .map((row): CacheWheel => {
      const { wheel, target, variant } = partsOf(row);
      const common = { wheel, target, origin: row.origin };
      const settled = SETTLED[row.verdict];
      if (settled !== undefined) return { ...common, state: settled, because: row.reason };
      const step = `${row.entry ?? ''}/${variant}`;
      const own = [...(needs.get(step) ?? []), step, ...(listing.get(step) ?? [])].flatMap((id) => steps.get(id) ?? []);
      return { ...common, ...builtState(own, listing.has(step), row.reason), ...(needs.has(step) && { step }) };
    });
}

/** The last two words of a subject are its target: `lxml==5.3.0 debian-12 cp311`. */
function partsOf({ subject }: Row): { readonly wheel: string; readonly target: string; readonly variant: string } {
  const words = subject.split(' ');
  const [platform = '', python = ''] = words.slice(-2);
  return { wheel: words.slice(0, -2).join(' '), target: `${platform} ${python}`, variant: `${python}/${platform}` };
}

/** Steps that publish a build to a static index, by the build. */
function listingSteps({ steps }: Plan): ReadonlyMap<StepId, readonly StepId[]> {
  const listings = steps.flatMap(({ id, kind, params }) =>
    kind === 'publishArtifacts' && params.target.kind === 'simple' ? params.of.map((build) => ({ build, id })) : [],
  );
  return new Map([...grouped(listings, ({ build }) => build)].map(([build, all]) => [build, all.map(({ id }) => id)]));
}

const SUCCEEDED: readonly StepState[] = ['done', 'cached'];
const FAILED: readonly StepState[] = ['failed', 'held'];

/** @param own statuses of what the wheel needs, of its build, and of what lists it */
function builtState(
  own: readonly StepStatus[],
  isListed: boolean,
  reason: string,
): Pick<CacheWheel, 'state' | 'because'> {
  const failed = own.find(({ state }) => FAILED.includes(state));
  if (failed !== undefined) return { state: 'failed', because: failed.problems?.[0]?.message ?? `${failed.id} failed` };
  const skipped = own.find(({ state }) => state === 'skipped');
  if (skipped !== undefined) return { state: 'failed', because: skipped.because ?? `${skipped.id} was skipped` };
  const isDone = own.length > 0 && own.every(({ state }) => SUCCEEDED.includes(state));
  if (!isDone) return { state: 'to build', because: reason };
  return { state: 'here', because: isListed ? 'this run listed it' : 'this run built it, and no index takes it' };
}
