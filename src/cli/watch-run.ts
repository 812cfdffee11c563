import type { ReleaseClient } from '../client/index.js';
import type { ExitCode, Io } from './command.js';
import { exitAs, type ExitList } from './exit-as.js';
import type { FoundRun } from './find-run.js';
import { follow, type View } from './follow.js';
import { RunForecaster } from './run-forecaster.js';
import { placedInFile, shownFile } from './with-locations.js';
import type { Ports } from './ports.js';
import type { RunStatus } from '../model/messages.js';
import { colours, plain } from './render/paint.js';
import { runLine } from './screens/ending.js';
import { failedLines } from './screens/failures.js';
import { gateLines } from './screens/gates.js';
import { storedPlan } from './stored-plan.js';
import { tellEnding } from './tell-ending.js';

export interface WatchOptions {
  readonly json: boolean;
  readonly leaveHeld: boolean;
  /** The list of exit codes. Null: Slipway's own. */
  readonly exitList?: ExitList | null;
}

/** Shows a run until it ends or the person presses Ctrl-C, which leaves the run alone. */
export async function watchRun(
  client: ReleaseClient,
  run: FoundRun,
  io: Io,
  ports: Ports,
  { json, leaveHeld, exitList = null }: WatchOptions,
): Promise<ExitCode> {
  const interrupted = ports.interrupt();
  const view: View = json ? 'json' : io.terminal.live ? 'tree' : 'lines';
  const foresight = new RunForecaster(ports);
  const statuses = client.follow(run.workflowId, run.run, interrupted);
  const coded = (status: RunStatus, own: ExitCode): ExitCode =>
    exitList === null ? own : exitAs(exitList, status, own);
  const last = await follow(leaveHeld ? untilHeld(statuses) : statuses, view, io, (status, nowMs) =>
    foresight.look(status, nowMs),
  );
  if (last?.state === 'ended') {
    const found = await placedInFile(last, ports);
    return coded(found, await tellEnding(found, ports, io, json));
  }
  if (last?.state === 'at gate' && leaveHeld) return tellAtGate(last, io, json);
  if (last?.state === 'held' && leaveHeld) {
    const file = (await shownFile(last.run, ports)) ?? 'FILE';
    const plan = await storedPlan(last.plan, ports);
    return coded(last, tellHeld(await placedInFile(last, ports), runLine(file, plan?.profile.name), io, json));
  }
  io.err(detached(run.workflowId));
  // The run has not ended, and 0 would mean that it was released.
  return 1;
}

const detached = (workflowId: string): string =>
  [
    `Detached: ${workflowId} goes on.`,
    `  slipway watch ${workflowId}    comes back to it`,
    `  slipway cancel ${workflowId}   ends it`,
  ].join('\n');

/** Yields statuses until the run waits for an action of a person, that status included. */
async function* untilHeld(statuses: AsyncIterable<RunStatus>): AsyncIterable<RunStatus> {
  for await (const status of statuses) {
    yield status;
    if (status.state === 'held' || (status.state === 'at gate' && waitsForPeople(status))) return;
  }
}

/** Whether a gate lacks approvals. A gate that only waits for its time (`soak`) needs no person. */
const waitsForPeople = ({ steps }: RunStatus): boolean =>
  steps.some(({ gate }) => gate !== undefined && gate.approvals.length < gate.quorum);

/** Everything is sealed; people decide when they have looked. */
function tellAtGate(status: RunStatus, io: Io, json: boolean): ExitCode {
  if (json) io.out(JSON.stringify({ status }));
  else io.out(gateLines(status, colours(io.terminal.colour)).join('\n'));
  return 4;
}

/** Held steps named before the rest is counted. */
const HELD_NAMED = 5;

/** Prints a held run with the commands that decide about it. Returns exit code 4, and leaves the run open.
 * @param again the command line that starts the release */
function tellHeld(status: RunStatus, again: string, io: Io, json: boolean): ExitCode {
  const paint = colours(io.terminal.colour);
  const held = status.steps.filter(({ state }) => state === 'held').map(({ id }) => plain(id));
  if (json) io.out(JSON.stringify({ status }));
  else {
    io.out(failedLines(status, paint).join('\n'));
    io.out(
      [
        '',
        `held  ${status.workflowId} waits for an action:`,
        ...(held.length > 1 ? [`  slipway retry --all-failed   # all ${held.length} held steps`] : []),
        ...held.slice(0, HELD_NAMED).map((id) => `  slipway retry ${id}`),
        ...(held.length > HELD_NAMED ? [`  … and ${held.length - HELD_NAMED} more: slipway status`] : []),
        `  slipway skip ${held[0]!} --reason '…'`,
        '  slipway cancel',
        `  ${again} --supersede   # with a mended release file; what is done is reused`,
      ].join('\n'),
    );
  }
  return 4;
}
