import type { Recent, ReleaseClient } from '../client/index.js';
import type { Problem } from '../model/failure.js';
import type { RunStatus, StepStatus } from '../model/messages.js';
import { headOf, type Step } from '../model/plan.js';
import type { Result } from '../model/result.js';
import { readRounds } from '../model/rounds.js';
import { records, type Started } from '../model/run-folder.js';
import { logsOf } from './find-log.js';
import type { Ports } from './ports.js';
import { storedPlan } from './stored-plan.js';

const NOBODY = 'no workflow worker answers: this is what the store and the history know';

/** The sources of the status of a run that no worker answers for. */
export interface Asked {
  readonly ports: Ports;
  readonly client: Pick<ReleaseClient, 'failures'>;
}

/** Returns the status of an open run whose workflow worker does not answer queries. Results and attempts come from the store, failures
 * from the history. Null if the store has no plan of the run. */
export async function statusInStore({ ports, client }: Asked, found: Recent): Promise<RunStatus | null> {
  const store = await ports.store();
  const { workflowId, run, startedAt, state = 'running' } = found;
  const started = await store.read<Started>(records.started(run));
  const plan = await storedPlan(started?.plan, ports);
  if (plan === null) return null;
  const rounds = await readRounds(store, run);
  const attempts = await logsOf(store, run);
  const failures = await client.failures(workflowId, run).catch(() => new Map<string, readonly Problem[]>());
  const held = state === 'held';
  const lost = held && failures.size === 0; // a step whose worker died says nothing of its own
  const steps = plan.steps.map(async (step): Promise<StepStatus> => {
    const result = await store.read<Result>(rounds.result(step.id));
    const problems = failures.get(step.id) ?? [];
    const attempt = [...(attempts.get(step.id)?.keys() ?? [])].at(-1) ?? 0;
    return told(step, { result, attempt, problems, held, lost });
  });
  return {
    ...{ workflowId, run, startedAt, state, plan: started!.plan },
    ...headOf(plan),
    steps: await Promise.all(steps),
    problems: [],
    waits: NOBODY,
  };
}

interface Known {
  readonly result: Result | null;
  /** Number of the last attempt with a log. 0 if there is none. */
  readonly attempt: number;
  readonly problems: readonly Problem[];
  readonly held: boolean;
  /** True if the step that holds the run left no failure. */
  readonly lost: boolean;
}

function told({ id, kind, stage }: Step, { result, attempt, problems, held, lost }: Known): StepStatus {
  const about = { id, kind, stage, attempt };
  if (result !== null) return { ...about, state: 'done', note: result.note, ms: result.made.ms };
  if (problems.length > 0) return { ...about, state: held ? 'held' : 'failed', problems };
  if (attempt === 0) return { ...about, state: 'waiting' };
  const because = `attempt ${attempt} left no result: \`slipway logs ${id}\` shows what it printed`;
  return { ...about, state: lost ? 'held' : 'running', because };
}
