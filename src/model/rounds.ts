import type { RunId, StepId } from './ids.js';
import { records } from './run-folder.js';

/** Record `runs/<run>/rounds/<round>`: the part of the plan that an operator reruns within the run. The first round is
 * the whole plan and has no record. */
export interface Round {
  readonly round: number;
  /** The named step and its dependents, skipped ones excepted. Their earlier results no longer count. */
  readonly from: StepId;
  readonly steps: readonly StepId[];
}

export interface Rounds {
  /** Record of the current result. */
  result(step: StepId): string;
  /** Whether the step itself is rerun. It skips the cache lookup. */
  fresh(step: StepId): boolean;
  /** Last round that reruns the step. 1 if none does. */
  of(step: StepId): number;
}

/** The part of a store that is read here. */
export interface Records {
  read<T>(name: string): Promise<T | null>;
  list(prefix: string): Promise<readonly string[]>;
}

export function roundsOf(run: RunId, rounds: readonly Round[]): Rounds {
  const last = new Map(rounds.flatMap((round) => round.steps.map((step) => [step, round] as const)));
  return {
    result: (step) => records.result(run, step, last.get(step)?.round),
    fresh: (step) => last.get(step)?.from === step,
    of: (step) => last.get(step)?.round ?? 1,
  };
}

/** Reads the rounds so far, for readers outside the run. */
export async function readRounds(store: Records, run: RunId): Promise<Rounds> {
  const names = await store.list(records.rounds(run));
  const rounds = await Promise.all(names.map((name) => store.read<Round>(name)));
  return roundsOf(
    run,
    rounds.filter((round) => round !== null),
  );
}

export async function resultNames(store: Records, run: RunId): Promise<readonly string[]> {
  const folder = records.result(run, '');
  const rounds = await readRounds(store, run);
  const more = await Promise.all(
    (await store.list(records.rounds(run))).map((name) => store.read<Round>(name).then((round) => round?.steps ?? [])),
  );
  const steps = [...(await store.list(folder)).map((name) => name.slice(folder.length)), ...more.flat()];
  return [...new Set(steps)].map((step) => rounds.result(step));
}
