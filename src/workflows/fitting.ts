import { outputOf } from '../engine/handover/truncate-cells.js';
import type { RunStatus, StepStatus } from '../model/messages.js';
import { inBrief } from '../model/quiet-steps.js';

/** The server refuses payloads of two megabytes, and the run's task with them, for ever: stay well below. */
const MOST_BYTES = 1_000_000;
/** Steps up to which each is told in full: people read such a status in the Temporal UI too. */
const MOST_IN_FULL = 500;
/** Steps whose problems are told where there are too many: the others are named. */
const TROUBLE_TOLD = 50;

/** The status, cut down to what Temporal carries: first the output goes, then what is little is told in brief, then what steps said
 * of themselves. How each step stands is told as long as there is room for it: status, report and durations go by it. */
export function fitting(status: RunStatus, most = MOST_BYTES): RunStatus {
  // Written out only to be found too long, the output of thousands would cost a second.
  const tooMuchOutput = status.steps.reduce((sum, { problems = [] }) => sum + outputOf(problems), 0) > most;
  for (const cut of status.steps.length > MOST_IN_FULL ? CUTS.slice(2) : CUTS) {
    if (tooMuchOutput && WITH_OUTPUT.includes(cut)) continue;
    const answer = cut(status);
    if (bytesOf(JSON.stringify(answer)) <= most) return answer;
  }
  return { ...status, steps: [] };
}

/** At most so many: a character takes three. */
const bytesOf = (text: string): number => text.length + 2 * (text.match(/[^\0-\x7f]/g)?.length ?? 0);

const each =
  (cut: (step: StepStatus) => readonly StepStatus[]) =>
  (status: RunStatus): RunStatus => ({ ...status, steps: status.steps.flatMap(cut) });

const withoutOutput = (step: StepStatus): StepStatus =>
  step.problems
    ? {
        ...step,
        problems: step.problems.slice(0, 3).map(({ evidence: _, firstError: __, details: ___, ...problem }) => problem),
      }
    : step;

const withoutEvidence = each((step) => [withoutOutput(step)]);

const withoutNotes = each(({ note: _, ...step }) => [step]);

const onlyTrouble = each((step) =>
  step.state === 'done' || step.state === 'cached' || step.state === 'dropped' ? [] : [step],
);

/** Each step by its name and how it stands, and of the first that have problems these too. */
const named =
  (told: number) =>
  (status: RunStatus): RunStatus => {
    let left = told;
    const bare = each((step) => {
      const { id, kind, stage, state, attempt, problems } = step;
      return [problems !== undefined && left-- > 0 ? withoutOutput(step) : { id, kind, stage, state, attempt }];
    });
    return inBrief(bare(status), ({ problems }) => problems !== undefined);
  };

type Cut = (status: RunStatus) => RunStatus;
const same: Cut = (status) => status;
const inBriefWithOutput: Cut = (status) => inBrief(status);
const WITH_OUTPUT: readonly Cut[] = [same, inBriefWithOutput];

const CUTS: readonly Cut[] = [
  same,
  withoutEvidence,
  inBriefWithOutput,
  (status) => inBrief(withoutEvidence(status)),
  (status) => inBrief(withoutNotes(withoutEvidence(status))),
  named(TROUBLE_TOLD),
  named(0),
  (status) => named(0)(onlyTrouble(status)),
];
