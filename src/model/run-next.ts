import type { Problem } from './failure.js';
import { isScheduled } from './ids.js';
import type { RunStatus, StepStatus } from './messages.js';

/** Facts that the next commands of a run depend on. */
export interface NextFacts {
  /** Command line that starts the same release again, with its profile, label and options. Null: no command line does, or nobody here
   * knows its plan. */
  readonly again: string | null;
  /** The release file names another commit now than when the run was planned. */
  readonly moved: boolean;
}

/** Held steps that are named before the rest is counted. */
const NAMED = 5;

/** Names a run. An open run is the newest of its workflow id, an ended one may not be. */
export const onRun = ({ state, workflowId, run }: Pick<RunStatus, 'state' | 'workflowId' | 'run'>): string =>
  `--run ${state === 'ended' ? run : workflowId}`;

/** Completes the commands of a text by the option that `onRun` returns, and by the step that STEP stands for. */
export const withRun = (text: string, on: string, step = 'STEP'): string =>
  text.replace(/\bslipway (?:approve|logs|retry|skip) [^,`]*/g, (command) =>
    command.includes(' --run ') ? command : `${command.replace(/\bSTEP\b/, step)} ${on}`,
  );

/** Returns the command that replaces an open run, or starts an ended one again. A scheduled run has an id that no other command starts. */
const anew = ({ state, workflowId }: RunStatus, { again }: NextFacts): string | null =>
  again === null || state === 'ended' || isScheduled(workflowId) ? again : `${again} --supersede`;

const noted = (command: string | null, note: string): readonly string[] =>
  command === null ? [] : [`${command}   # ${note}`];

/** Returns the commands to type next, the likeliest first. Each names the run. A good ended run has none. */
export function nextCommands(status: RunStatus, facts: NextFacts): readonly string[] {
  const on = onRun(status);
  const failed = status.steps.find(({ state }) => state === 'failed');
  const looks = [
    ...(failed && failed.attempt > 0 ? [`slipway logs ${failed.id} ${on}`] : []),
    ...(failed ? [`slipway why ${failed.id} ${on}`] : []),
  ];
  if (status.state === 'ended') {
    const who = status.verdict?.verdict === 'cancelled' ? [`slipway audit ${status.run}   # who stopped it`] : [];
    return [...looks, ...who, ...noted(facts.again, 'finished steps are reused')];
  }
  const held = status.steps.flatMap(({ id, state }) => (state === 'held' ? [id] : []));
  return [
    ...(status.paused === undefined ? [] : [`slipway resume ${on}`]),
    ...ofHeld(held, status, facts),
    ...ofGates(status),
    ...(held.length > 0 ? [`slipway cancel ${on}`] : [...looks, `slipway watch ${status.workflowId}`]),
  ];
}

function ofHeld(held: readonly string[], status: RunStatus, facts: NextFacts): readonly string[] {
  if (held.length === 0) return [];
  const on = onRun(status);
  const more = held.length - NAMED;
  const again = noted(anew(status, facts), 'with a changed file or commit; finished steps are reused');
  return [
    ...(facts.moved ? again : []),
    ...(held.length > 1 ? [`slipway retry --all-failed ${on}   # all ${held.length} held steps`] : []),
    ...held.slice(0, NAMED).map((id) => `slipway retry ${id} ${on}`),
    ...(more > 0 ? [`… and ${more} more: slipway status ${status.workflowId}`] : []),
    ...(facts.moved ? [] : again),
    `slipway skip ${held[0]} --reason '…' ${on}`,
  ];
}

/** A gate with all its approvals waits for its time alone. */
const ofGates = (status: RunStatus): readonly string[] =>
  status.steps.flatMap(({ gate }) => {
    if (gate === undefined || gate.approvals.length >= gate.quorum) return [];
    const on = onRun(status);
    return [
      `slipway approve ${gate.name} --show ${on}   # what it would publish`,
      `slipway approve ${gate.name} ${on}`,
      `slipway reject ${gate.name} --reason '…' ${on}`,
    ];
  });

/** Returns a problem of failed steps with a next step that their run takes. Its commands name step and run, and a held run is replaced,
 * because a second start is refused.
 * @param steps steps that failed with this problem, at least one */
export function nextOfFailed(
  problem: Problem,
  steps: readonly StepStatus[],
  status: RunStatus,
  facts: NextFacts,
): Problem {
  const { id, state } = steps[0]!;
  const on = onRun(status);
  const which = steps.length > 1 && state === 'held' ? '--all-failed' : id;
  const replacing = anew(status, facts);
  const complete = (all: string, command: string, said: string): string => {
    if (said.includes('--run')) return all;
    // Only a held step takes these actions.
    if (/retry|skip/.test(command) && state !== 'held') return replacing === null ? all : `\`${replacing}\``;
    const reason = command === 'skip' && !said.includes('--reason') ? " --reason '…'" : '';
    const rest = said.trim().replace(/\bSTEP\b/, id);
    return `\`slipway ${command} ${rest || (command === 'retry' ? which : id)}${reason} ${on}\``;
  };
  const text = problem.next.replace(/`slipway (logs|retry|skip|why)((?: [^`]*)?)`/g, complete);
  if (state !== 'held') return { ...problem, next: text };
  const retry = `type \`slipway retry ${which} ${on}\``;
  const choices = [...(replacing === null ? [] : [`type \`${replacing}\``]), `${retry} where the cause was outside`];
  const either = problem.class === 'infra' || choices.length === 1 ? retry : choices.join(', or ');
  return { ...problem, next: text.replace(AGAIN, text.includes(retry.slice(5)) ? choices[0]! : either) };
}

/** Advice to start the release again. A run that has ended takes it. */
const AGAIN = /(?<!has ended, )\b(run|start) (the release|this release|the run) again/gi;
