import type { Recent } from '../client/index.js';
import type { RunStatus, StepStatus } from '../model/messages.js';
import type { Step } from '../model/plan.js';
import type { Result } from '../model/result.js';
import { readRounds } from '../model/rounds.js';
import { records, type Started } from '../model/run-folder.js';
import { logsOf } from './find-log.js';
import type { Ports } from './ports.js';
import { storedPlan } from './stored-plan.js';

const NOBODY = 'no workflow worker answers: this is what the store knows, and Temporal without it';

/** An open run that nobody tells of, since all its workers are gone: what is done is in the store, with the attempts that were made.
 * Null where the store does not know its plan. */
export async function statusInStore(ports: Ports, found: Recent): Promise<RunStatus | null> {
  const store = await ports.store();
  const { workflowId, run, startedAt } = found;
  const started = await store.read<Started>(records.started(run));
  const plan = started?.plan == null ? null : await storedPlan(started.plan, ports);
  if (plan === null) return null;
  const rounds = await readRounds(store, run);
  const attempts = await logsOf(store, run);
  const state = found.state ?? 'running';
  const steps = plan.steps.map(async (step): Promise<StepStatus> => {
    const result = await store.read<Result>(rounds.result(step.id));
    return told(step, result, attempts.get(step.id)?.at(-1) ?? 0, state === 'held');
  });
  return {
    ...{ workflowId, run, startedAt, state, plan: started!.plan },
    ...{ name: plan.release.name, version: plan.release.version, rehearsal: plan.profile.rehearsal },
    steps: await Promise.all(steps),
    problems: [],
    waits: NOBODY,
  };
}

function told({ id, kind, stage }: Step, result: Result | null, attempt: number, held: boolean): StepStatus {
  const about = { id, kind, stage, attempt };
  if (result !== null) return { ...about, state: 'done', note: result.note, ms: result.made.ms };
  if (attempt === 0) return { ...about, state: 'waiting' };
  const because = `attempt ${attempt} left no result: \`slipway logs ${id}\` shows what it printed`;
  return { ...about, state: held ? 'held' : 'running', because };
}
