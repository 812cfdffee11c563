import type { RunStatus, StepStatus } from '../model/messages.js';

/** Largest status in bytes after compression. The server refuses a payload over 1.5 MB (`src/services/catalog/temporal.ts`), and the
 * workflow task that sends it fails for ever. */
const MOST_BYTES = 1_400_000;
/** Most bytes of a compressed step without its texts: names of fields and states repeat, times begin alike. */
const STEP_BYTES = 32;
/** Most steps whose problems are listed, if all of them do not fit. */
const TROUBLE_TOLD = 50;

/** Returns the status, cut to a payload that Temporal accepts. The output of failed steps is dropped first, then notes, then all but
 * the state of each step. The list of succeeded steps is dropped last, because reports and durations need it. */
export function fitting(status: RunStatus, most = MOST_BYTES): RunStatus {
  for (const cut of CUTS) {
    const answer = cut(status);
    if (fits(answer, most)) return answer;
  }
  return { ...status, steps: [] };
}

/** Estimates from above, and stops early: to serialise or compress the output of thousands of steps takes seconds. */
function fits(status: RunStatus, most: number): boolean {
  let left = most - bytesOf(JSON.stringify({ ...status, steps: [] }));
  let before = '';
  return status.steps.every((step) => {
    left -= weightOf(step, before);
    before = step.id;
    return left >= 0;
  });
}

/** @param before id of the step before. What an id shares with it at its start takes no room. */
function weightOf({ id, note = '', because = '', gate, problems, lost }: StepStatus, before: string): number {
  let shared = 0;
  while (shared < id.length && id[shared] === before[shared]) shared++;
  const texts = bytesOf(id.slice(shared) + note + because);
  return STEP_BYTES + texts + (gate || problems || lost ? bytesOf(JSON.stringify([gate, problems, lost])) : 0);
}

/** A character of ASCII takes at most a byte, any other at most three. */
export const bytesOf = (text: string): number => text.length + 2 * (text.match(/[^\x20-\x7e]/g)?.length ?? 0);

type Cut = (status: RunStatus) => RunStatus;

const each =
  (cut: (step: StepStatus) => StepStatus): Cut =>
  (status) => ({ ...status, steps: status.steps.map(cut) });

const withoutOutput = (step: StepStatus): StepStatus =>
  step.problems
    ? {
        ...step,
        problems: step.problems.slice(0, 3).map(({ evidence: _, firstError: __, details: ___, ...problem }) => problem),
      }
    : step;

/** Lists each step with its state, and the problems of the first steps that have any. */
const named =
  (told: number): Cut =>
  (status) => {
    let left = told;
    return each((step) => {
      const { id, kind, stage, state, attempt, problems } = step;
      return problems !== undefined && left-- > 0 ? withoutOutput(step) : { id, kind, stage, state, attempt };
    })(status);
  };

const onlyTrouble: Cut = (status) => ({
  ...status,
  steps: status.steps.filter(({ state }) => !['done', 'cached', 'dropped'].includes(state)),
});

const CUTS: readonly Cut[] = [
  (status) => status,
  each(withoutOutput),
  each((step) => {
    const { note: _, ...bare } = withoutOutput(step);
    return bare;
  }),
  named(TROUBLE_TOLD),
  named(0),
  (status) => named(0)(onlyTrouble(status)),
];
