import type { RunId, StepId } from './ids.js';
import { records } from './run-folder.js';

/** Record `runs/<run>/rounds/<round>`: a part of the plan that a person lets run again within the run. The first round is the
 * whole plan, and has no record. */
export interface Round {
  readonly round: number;
  /** It and all that stands on it, as far as a person has not left it out. Results that these had do not count any more. */
  readonly from: StepId;
  readonly steps: readonly StepId[];
}

/** Where the results of a run stand. */
export interface Rounds {
  /** Record of the result that counts. */
  result(step: StepId): string;
  /** Whether the step itself is to be made anew: no earlier result of it is believed. */
  fresh(step: StepId): boolean;
  /** The one in which it last began anew; 1: in none. */
  of(step: StepId): number;
}

interface Records {
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

/** Rounds that were begun so far: for whoever looks at a run from outside. */
export async function readRounds(store: Records, run: RunId): Promise<Rounds> {
  const names = await store.list(records.rounds(run));
  const rounds = await Promise.all(names.map((name) => store.read<Round>(name)));
  return roundsOf(
    run,
    rounds.filter((round) => round !== null),
  );
}

/** Records of the results that count, of every step that has one. */
export async function resultNames(store: Records, run: RunId): Promise<readonly string[]> {
  const folder = records.result(run, '');
  const rounds = await readRounds(store, run);
  const more = await Promise.all(
    (await store.list(records.rounds(run))).map((name) => store.read<Round>(name).then((round) => round?.steps ?? [])),
  );
  const steps = [...(await store.list(folder)).map((name) => name.slice(folder.length)), ...more.flat()];
  return [...new Set(steps)].map((step) => rounds.result(step));
}
