import { entryOf, type StepId } from '../../model/ids.js';
import { doingOf } from '../../model/kinds.js';
import type { AssumedDone, Plan } from '../../model/plan.js';
import type { Why } from './why.js';

/** Why the plan has no such step. Null if it has one. */
export function whyNotPlanned(step: StepId, { dropped, assumed = [] }: Plan): Why | null {
  const left = dropped.find(({ id }) => id === step);
  if (left !== undefined) {
    const because = `was left out of the plan: ${left.because}`;
    return { step, state: 'dropped', because, next: 'Change that in the release file to have it.' };
  }
  const done = assumed.find(({ id }) => id === step);
  if (done === undefined) return null;
  const by = done.neededBy.length === 0 ? '' : ` for ${done.neededBy.join(', ')}`;
  return { step, state: 'dropped', because: `was assumed done${by}: ${done.because}`, next: toRun(done) };
}

function toRun({ id, because }: AssumedDone): string {
  if (because.startsWith('--skip')) return `Take ${id} out of --skip, and it runs.`;
  if (because.startsWith('no change since')) return 'Leave `--since` out, or change one of these, and it runs.';
  return because.startsWith('--') ? `Choose ${id} too, and it runs.` : 'Change that, and it runs.';
}

/** Explanation of a step before a run, from its plan alone. */
export function whyPlanned(step: StepId, plan: Plan): Why {
  const left = whyNotPlanned(step, plan);
  if (left !== null) return left;
  const { kind, on, needs } = plan.steps.find(({ id }) => id === step)!;
  const needed = needs.length === 0 ? '' : `; it needs ${needs.join(', ')}`;
  const kept = plan.kept?.find(({ id, parts = [] }) => [id, ...parts].includes(entryOf(step)));
  const reader = kept === undefined ? '' : `; ${kept.because}, and its files are read by ${kept.readBy.join(', ')}`;
  return { step, state: 'waiting', because: `is planned: ${doingOf(kind)} on ${on}${needed}${reader}` };
}
