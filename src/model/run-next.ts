import type { Problem } from './failure.js';
import { isScheduled } from './ids.js';
import type { RunStatus, StepStatus } from './messages.js';

/** Facts that the next commands of a run depend on. */
export interface NextFacts {
  /** Command line that starts the same release again, with its profile, label and options. */
  readonly again: string;
  /** The release file names another commit now than when the run was planned. */
  readonly moved: boolean;
}

/** Held steps that are named before the rest is counted. */
const NAMED = 5;
/** Classes of failures that a changed file or commit may end. The cause of others is outside of both. */
const OF_THE_FILE: readonly Problem['class'][] = ['product', 'config'];

/** Returns the name of a run for `--run`. An open run is the newest of its workflow id, an ended one may not be. */
const nameOf = ({ state, workflowId, run }: RunStatus): string => (state === 'ended' ? run : workflowId);

/** Returns the command that replaces a held run. A scheduled run has an id that no other command starts. */
const anew = ({ workflowId }: RunStatus, { again }: NextFacts): string =>
  isScheduled(workflowId) ? again : `${again} --supersede`;

/** Returns the commands to type next, the likeliest first. Each names the run. A good ended run has none. */
export function nextCommands(status: RunStatus, facts: NextFacts): readonly string[] {
  const on = `--run ${nameOf(status)}`;
  const failed = status.steps.find(({ state }) => state === 'failed')?.id;
  const looks = failed === undefined ? [] : [`slipway logs ${failed} ${on}`, `slipway why ${failed} ${on}`];
  if (status.state === 'ended') {
    const who = status.verdict?.verdict === 'cancelled' ? [`slipway audit ${status.run}   # who stopped it`] : [];
    return [...looks, ...who, `${facts.again}   # finished steps are reused`];
  }
  if (status.state === 'held') return ofHeld(status, facts, on);
  const gates = status.steps.flatMap(({ gate }) => (gate !== undefined && gate.quorum > 0 ? [gate.name] : []));
  return [
    ...(status.paused === undefined ? [] : [`slipway resume ${on}`]),
    ...gates.flatMap((gate) => [
      `slipway approve ${gate} --show ${on}   # what it would publish`,
      `slipway approve ${gate} ${on}`,
      `slipway reject ${gate} --reason '…' ${on}`,
    ]),
    ...looks,
    `slipway watch ${status.workflowId}`,
  ];
}

function ofHeld(status: RunStatus, facts: NextFacts, on: string): readonly string[] {
  const held = status.steps.filter(({ state }) => state === 'held').map(({ id }) => id);
  const more = held.length - NAMED;
  const again = `${anew(status, facts)}   # with a changed file or commit; finished steps are reused`;
  return [
    ...(facts.moved ? [again] : []),
    ...(held.length > 1 ? [`slipway retry --all-failed ${on}   # all ${held.length} held steps`] : []),
    ...held.slice(0, NAMED).map((id) => `slipway retry ${id} ${on}`),
    ...(more > 0 ? [`… and ${more} more: slipway status ${status.workflowId}`] : []),
    ...(facts.moved ? [] : [again]),
    ...(held.length > 0 ? [`slipway skip ${held[0]} --reason '…' ${on}`] : []),
    `slipway cancel ${on}`,
  ];
}

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
  const on = `--run ${nameOf(status)}`;
  const which = steps.length > 1 && state === 'held' ? '--all-failed' : id;
  const complete = (all: string, command: string, said: string): string => {
    if (said.includes('--run')) return all;
    const rest = said.trim().replace(/^STEP$/, '');
    return `\`slipway ${command} ${rest || (command === 'retry' ? which : id)} ${on}\``;
  };
  const text = problem.next.replace(/`slipway (logs|retry|skip|why)((?: [^`]*)?)`/g, complete);
  if (state !== 'held') return { ...problem, next: text };
  const retry = `\`slipway retry ${which} ${on}\``;
  const replaced = `type \`${anew(status, facts)}\``;
  const isOutside = !OF_THE_FILE.includes(problem.class);
  const either = isOutside ? `type ${retry}` : `${replaced}, or ${retry} where the cause was outside`;
  return { ...problem, next: text.replace(AGAIN, text.includes(retry) ? replaced : either) };
}

/** Advice to start the release again. A run that has ended takes it. */
const AGAIN = /(?<!has ended, )\b(run|start) (the release|this release|the run) again/gi;
