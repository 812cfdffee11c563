import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { samenessOf } from '../../engine/cache/key-parts.js';
import { expectations, expecting } from '../../engine/forecast/durations.js';
import { assertPlanSize } from '../../engine/run/assert-plan-size.js';
import { edgeCount } from '../../engine/run/edges.js';
import { givenFor, isProbe } from '../../model/bisect.js';
import { isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { CONTROL, isScheduled, mayBeCalled, workflowIdOf, type Queue, type StepId } from '../../model/ids.js';
import type { MakePlan } from '../../model/messages.js';
import { headOf, type Plan, type Skeleton } from '../../model/plan.js';
import { isScheduledGiven, type PlanOrder } from '../../model/schedule.js';
import { planFault } from '../../model/schema/plan.js';
import type { UnservedQueue } from '../../model/worker.js';
import { sha256 } from '../sha256.js';
import { assertAddresses } from '../policy/rehearsed-here.js';
import { withoutCache } from '../../plan/no-cache.js';
import { nothingToDo } from '../../plan/nothing-to-do.js';
import { assertTriable } from '../../plan/probe.js';
import { withoutUnserved } from '../../plan/unserved.js';
import { problems } from './errors.js';
import type { Fleet, Planner } from './ports.js';

/** Plans a release on the control worker, or loads an earlier plan. Returns the part of the plan that the history
 * keeps. */
export const createMakePlan = (planner: Planner, fleet: Fleet): MakePlan =>
  async function makePlan(input) {
    const { plan: wanted, noCache: anew, workflowId } = input;
    const { plan, digest } = wanted !== undefined ? await known(wanted, planner) : await fromFile(input, planner);
    assertPlanSize(plan);
    assertAddresses(plan);
    const head = headOf(plan);
    if (!mayBeCalled(workflowId, head)) throw fail(problems.otherWorkflowId(workflowId, workflowIdOf(head)));
    const queues = [...new Set(plan.steps.map(({ on }) => on))].sort();
    const unserved = await unservedOf(queues, plan, fleet);
    const left = carriedOut(
      plan,
      unserved.map(({ queue }) => queue),
    );
    const bare = await planner.skeleton(left, left === plan ? digest : await planner.keep(left));
    const { name } = plan.release;
    const idle = nothingToDo(left);
    if (idle !== null) return { ...bare, steps: [], nothingToDo: idle };
    const before = isScheduled(workflowId) && anew === undefined ? await doneBefore(left, planner) : null;
    if (before !== null) return { ...bare, steps: [], nothingNew: before };
    const skeleton = expecting(bare, expectations(await planner.durations(name), name));
    const awaited = unserved.filter(({ queue }) => left.steps.some(({ on }) => on === queue));
    const slots = await fleet.slots([...new Set([CONTROL, ...queues])]);
    const noCache = withoutCache(skeleton.steps, anew);
    const reuse = noCache === 'all' ? {} : { reuse: true as const };
    return sized({
      ...skeleton,
      ...reuse,
      ...(noCache !== undefined && { noCache }),
      ...(awaited.length > 0 && { unserved: awaited }),
      slots,
    });
  };

/** Returns the workflow id of a done run after which such a plan has nothing to do. Null if there is none. */
async function doneBefore(plan: Plan, planner: Planner): Promise<string | null> {
  const same = samenessOf(plan, sha256);
  return same === null ? null : planner.doneBefore(plan.release.name, same);
}

/** Largest skeleton as JSON: a workflow parses it at its start and at each replay. */
const MOST_CHARACTERS = 10_000_000;
/** Largest compressed skeleton. The server refuses payloads of 2 MB, and the progress of the steps travels beside it.
 */
const MOST_BYTES = 1_000_000;

async function sized(skeleton: Skeleton): Promise<Skeleton> {
  // Edges come first: the JSON of too many exceeds the longest possible string.
  const edges = edgesOf(skeleton);
  const json = edges < MOST_CHARACTERS ? JSON.stringify(skeleton) : '';
  if (json !== '' && json.length <= MOST_CHARACTERS && (await promisify(gzip)(json)).length <= MOST_BYTES)
    return skeleton;
  throw fail(problems.planTooDense(widest(skeleton), edges));
}

const edgesOf = ({ steps }: Skeleton): number => steps.reduce((sum, step) => sum + edgeCount(step), 0);
const widest = ({ steps }: Skeleton): StepId => steps.reduce((a, b) => (edgeCount(b) > edgeCount(a) ? b : a)).id;

/** Number of looks, of a second or more each, before a run is refused: its workers may start at the same moment. */
const LOOKS = 10;

async function unservedOf(queues: readonly Queue[], plan: Plan, fleet: Fleet): Promise<readonly UnservedQueue[]> {
  for (let looks = 1; ; looks += 1) {
    const unserved = await fleet.unserved(queues);
    const absent = unserved.map(({ queue }) => queue);
    if (looks === LOOKS || withoutUnserved(plan, absent).refused.length === 0) return unserved;
  }
}

/** Fails before the run starts if a step could never end. A step without a worker is dropped or waits only if the
 * release file says so. */
function carriedOut(plan: Plan, unserved: readonly Queue[]): Plan {
  const { plan: left, refused } = withoutUnserved(plan, unserved);
  const stuck = (queue: Queue) => plan.steps.filter(({ on, stage }) => on === queue && stage !== 'prove');
  if (refused.length > 0) throw fail(refused.map((queue) => problems.queueUnserved(queue, stuck(queue))));
  return left;
}

type Named = Pick<PlanOrder, 'file' | 'profile'>;

/** Plans with the options of a schedule. Another program could name any commit or address of a wheel. */
async function ordered({ file, profile, given }: Record<keyof PlanOrder, unknown> & Named, planner: Planner) {
  if (!isScheduledGiven(given)) throw fail(problems.notGiven(given));
  if (!(await planner.isOrdered({ file, profile, given }))) throw fail(problems.notOrdered(file));
  return planner.submit(file, profile, given);
}

async function known(given: string, planner: Planner) {
  if (!isDigest(given)) throw fail(problems.notADigest(String(given)));
  const plan = await planner.load(given);
  const fault = planFault(plan);
  if (fault !== null) throw fail(problems.notAPlan(given, fault));
  return { plan, digest: given };
}

/** The input comes from a command line, so every type is possible. */
/** Input that may be typed by hand. */
type Typed = Readonly<Partial<Record<'file' | 'profile' | 'probe' | 'given', unknown>>>;

async function fromFile({ file, profile: named, probe, given }: Typed, planner: Planner) {
  const profile = named ?? 'local';
  if (typeof file !== 'string' || file === '') throw fail(problems.noInput());
  if (!file.startsWith('/')) throw fail(problems.relative(file));
  if (typeof profile !== 'string' || profile === '') throw fail(problems.notAProfile(profile));
  if (given !== undefined) return ordered({ file, profile, given }, planner);
  if (probe === undefined) return planner.submit(file, profile);
  if (!isProbe(probe)) throw fail(problems.notAProbe(probe));
  const submitted = await planner.submit(file, profile, givenFor(probe));
  assertTriable(submitted.plan);
  return submitted;
}
