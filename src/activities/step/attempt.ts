import { namedFiles } from '../../model/named-files.js';
import type { Digest } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import { cacheOf, KINDS, type KindName } from '../../model/kinds.js';
import type { Json } from '../../model/json.js';
import { type LostWorker, lostSentence } from '../../model/lost-worker.js';
import type { StepEnding, StepInput } from '../../model/messages.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import type { StepId } from '../../model/ids.js';
import type { Rounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import { carriesCode } from '../../plan/carries-code.js';
import { sealDiffers } from '../seal/errors.js';
import { layTools } from '../tools/lay-tools.js';
import type { Body, Made, Toolchain } from '../work.js';
import { deadline } from './deadline.js';
import { cancelled, projectCodeOnControl, toolchainDiffers } from './errors.js';
import { scrubbed, reportedAs } from './failures.js';
import { readInputs, resultsOf, findStep, located } from './inputs.js';
import type { StepLog, StepContext } from './ports.js';
import { record } from './record.js';
import { keyOf, NOTHING, readOwn, rebuilt, recallResult, rememberResult, resultOf } from './reuse.js';
import { roundsUpTo } from './rounds.js';
import { hideSecrets } from './secrets.js';
import { Reached } from './confine.js';
import { type Attempt, createWork } from './work.js';
import { makeWorkspace, slug, unpackFiles } from './workspace.js';

/** Longer than the runner takes to end a group that ignores SIGTERM, shorter than Temporal's margin over the limit. */
const GRACE_MS = 15_000;
const SHORTEST_IN_FACTS = 8;

export interface AttemptTimes {
  readonly signal: AbortSignal;
  /** Attempt number of the Temporal activity: above 1 after a worker was lost. */
  readonly delivery: number;
  /** The workers of its earlier deliveries. Absent in the first. */
  readonly lost?: readonly LostWorker[];
  /** Extra time for a body that runs no program. The runner ends programs at the limit itself. */
  readonly graceMs?: number;
  /** Called when the log is open. Heartbeats carry its last line. */
  readonly onLog?: (log: StepLog) => void;
  /** Called with the reason why the body waits. Null: it goes on. */
  readonly onWaits?: (because: string | null) => void;
  /** Whether the abort of `signal` leaves the attempt to another worker. */
  readonly leaves?: () => boolean;
  /** Called when the body has returned, before its result is stored. */
  readonly onMade?: () => void;
}

/** Runs one attempt of a step: looks up a result, else makes one, and records it last. Throws only SlipwayFailure. */
export async function attemptStep<K extends KindName>(
  body: Body<K>,
  input: StepInput,
  plan: Plan,
  around: StepContext,
  moment: AttemptTimes,
): Promise<StepEnding> {
  const began = around.ticks();
  const tookMs = (): number => Math.round(around.ticks() - began);
  const step = findStep<K>(plan, input.plan, input.step);
  const ending = (outcome: StepEnding['outcome'], { note, facts }: Result): StepEnding => ({
    ...{ outcome, note, ms: tookMs(), worker: around.worker },
    ...(step.kind === 'sealManifest' && { sealed: facts['manifest'] as Digest }),
    ...(moment.lost && { lost: moment.lost }),
  });
  const rounds = await roundsUpTo(around.store, input);
  const before = await readOwn(around.store, rounds.result(step.id));
  // The seal is always computed again and compared with its record, which may have been altered.
  if (before !== null && before !== 'damaged' && step.kind !== 'sealManifest') return ending('done', before);

  const inputs = await readInputs(resultsOf(around.store, rounds), plan, step as StepOf<KindName>);
  const key = keyOf(plan, step as StepOf<KindName>, inputs, around.hash);
  const cache = cacheOf(step);
  const fresh = rounds.fresh(step.id) || input.noCache === true;
  const asked = cache !== 'always' && !fresh;
  const { known, lost } = asked ? await recallResult(around.store, step.kind, key, around.hash) : NOTHING;
  if (cache === 'pure' && known)
    return ending('cached', await record(around, plan, rounds.result(step.id), { ...known, step: step.id }));

  const reached = new Reached();
  const made = await make(
    body,
    { ...inputs, ...toldTo(input), plan, step, known, fresh, ...roundOf(rounds, step.id), ...momentOf(moment) },
    around,
    moment,
    reached,
  );
  const result = resultOf(step as StepOf<KindName>, key, made, {
    run: input.run,
    attempt: input.attempt,
    at: new Date(around.now()).toISOString(),
    ms: tookMs(),
    worker: around.worker,
    ...reached.weakest(),
    ...(made.reused && { reused: true }),
    ...(input.flaky === true && { flaky: true }),
  });
  const standing = cache === 'always' ? result : await rememberResult(around.store, result, around.hash, fresh);
  const mine = {
    ...(fresh ? result : standing),
    step: step.id,
    findings: [...standing.findings, ...rebuilt(lost, standing)],
  };
  const kept = mustBeMine(await record(around, plan, rounds.result(step.id), mine), result, rounds.result(step.id));
  await around.passes?.(step.id, 'recorded');
  return ending(made.reused ? 'cached' : 'done', kept);
}

type Told = Pick<Attempt, 'run' | 'attempt' | 'sealed' | 'openings'>;
const toldTo = ({ run, attempt, sealed, openings = {} }: StepInput): Told => ({
  ...{ run, attempt, sealed: sealed ?? null, openings },
});

/** Returns the recorded result. Throws SEAL_DIFFERS if it is a seal of another manifest than its inputs make. */
function mustBeMine(kept: Result, { facts }: Result, name: string): Result {
  const [named, sealed] = [kept.facts['manifest'] as Digest, facts['manifest'] as Digest];
  if (kept.kind !== 'sealManifest' || named === sealed) return kept;
  throw fail(sealDiffers(name, kept.step, { name: 'the manifest', named, sealed }));
}

const roundOf = (rounds: Rounds, step: StepId): { readonly round?: number } =>
  rounds.of(step) > 1 ? { round: rounds.of(step) } : {};

const momentOf = ({ onWaits, leaves }: AttemptTimes): Pick<Attempt, 'waits' | 'leaves'> => ({
  ...(onWaits && { waits: onWaits }),
  ...(leaves && { leaves }),
});

async function make<K extends KindName>(
  body: Body<K>,
  attempt: Attempt<K>,
  around: StepContext,
  moment: AttemptTimes,
  reached: Reached,
): Promise<Made> {
  const { plan, step, run } = attempt;
  const log = around.openLog(records.log(run, step.id, attempt.attempt, moment.delivery));
  moment.onLog?.(log);
  const { lost = [] } = moment;
  log.note(
    `${step.id}, attempt ${attempt.attempt + lost.length} on ${around.worker}, ${new Date(around.now()).toISOString()}`,
  );
  for (const one of lost) log.note(`begun again: ${lostSentence(one)}`);
  const limit = deadline(step, log, moment.graceMs ?? GRACE_MS);
  const signal = AbortSignal.any([moment.signal, limit.signal]);
  const delivered = moment.delivery > 1 ? `.${moment.delivery}` : '';
  try {
    await hideSecrets(around, plan, log);
    if (around.servesControl && carriesCode(step as Step)) throw fail(projectCodeOnControl(step.id, around.worker));
    await sameTools(attempt.toolchain, around);
    const workspace = await makeWorkspace(around.home, run, `${slug(step.id)}-${attempt.attempt}${delivered}`);
    try {
      await unpackFiles(around.store, namedFiles(plan.bundle, step.files), workspace.files);
      await layTools(around.store, plan, step, workspace.folder);
      const toolchain = await located(attempt.toolchain, around);
      const takesTurn = (because: string | null): void => {
        moment.onWaits?.(because);
        limit.stands(because !== null);
      };
      const work = createWork({ ...attempt, toolchain, takesTurn }, around, workspace, log, signal, reached);
      await around.passes?.(step.id, 'begun');
      // A kind that changes a target reads first and marks its own effects.
      const marksItself = KINDS[step.kind].changes === 'target';
      const made = await (marksItself ? body(work) : work.effect(() => body(work)));
      moment.onMade?.();
      return withoutSecrets(made, log);
    } finally {
      await workspace.remove().catch((error: Error) => log.note(`left behind: ${error.message}`));
    }
  } catch (error) {
    const cause: unknown = limit.signal.aborted ? limit.signal.reason : error;
    const problems = moment.signal.aborted
      ? [cancelled(step.id)]
      : withDetails(reportedAs(cause, log, around.home, step, reached), around.worker, lost);
    for (const problem of problems) log.note(`${problem.code}: ${problem.message}\n${problem.next}`);
    throw fail(problems, error);
  } finally {
    limit.stop();
    // A worker that shuts down leaves the log open for the next delivery. A log that fails to close does not undo a
    // result: `ready` has already reported a broken log.
    await (moment.signal.aborted ? log.leave() : log.close()).catch(() => undefined);
  }
}

const withDetails = (problems: readonly Problem[], worker: string, lost: readonly LostWorker[]): readonly Problem[] =>
  problems.map((problem) => ({
    ...problem,
    details: { ...problem.details, worker, ...(lost.length > 0 && { lost: lost as readonly object[] as Json }) },
  }));

/** Hides secrets in all that leaves the attempt. Short ones stay in facts, since later steps use facts and a short
 * password may be a common word. */
function withoutSecrets(made: Made, log: StepLog): Made {
  const cleaned = <T>(value: T): T => scrubbed(value as Json, (text) => log.scrub(text, SHORTEST_IN_FACTS)) as T;
  return {
    ...made,
    note: log.scrub(made.note),
    ...(made.facts && { facts: cleaned(made.facts) }),
    ...(made.findings && { findings: cleaned(made.findings) }),
  };
}

/** Throws TOOLCHAIN_DIFFERS: other tools must not make bytes under a step key that names these tools. */
async function sameTools(pinned: Toolchain | null, around: StepContext): Promise<void> {
  const found = pinned === null || around.differs === undefined ? [] : await around.differs(pinned);
  if (found.length > 0) throw fail(toolchainDiffers(around.worker, found));
}
