import type { ReleaseClient } from '../client/index.js';
import { fail } from '../model/failure.js';
import type { ExitCode, Input, Io } from './command.js';
import { notAnAnswer } from './errors.js';
import { exitAs, type ExitList } from './exit-as.js';
import type { FoundRun } from './find-run.js';
import { follow, type View } from './follow.js';
import { RunForecaster } from './run-forecaster.js';
import { nextFacts } from './next-facts.js';
import type { Ports } from './ports.js';
import type { RunStatus } from '../model/messages.js';
import { colours } from './render/paint.js';
import { failedLines } from './screens/failures.js';
import { gateLines } from './screens/gates.js';
import { nextLines } from './screens/next.js';
import { tellEnding } from './tell-ending.js';
import { placedInFile } from './with-locations.js';

export interface WatchOptions {
  readonly json: boolean;
  readonly leaveHeld: boolean;
  /** The list of exit codes. Null: Slipway's own. */
  readonly exitList?: ExitList | null;
}

export type OnHold = 'wait' | 'exit' | 'fail';

/** Returns what a command does when its run waits for an action. A person at a terminal can send one, a script cannot. Throws
 * NOT_AN_ANSWER. */
export function onHoldIn<A extends OnHold>({ onHold }: Input['options'], { terminal }: Io, answers: readonly A[]): A {
  const said = onHold ?? (terminal.live ? 'wait' : 'exit');
  const found = answers.find((answer) => answer === said);
  if (found === undefined) throw fail(notAnAnswer(String(said), answers));
  return found;
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
  const last = await follow(leaveHeld ? untilHalted(statuses) : statuses, view, io, {
    ahead: (status, nowMs) => foresight.look(status, nowMs),
    halted: async (status) =>
      json || leaveHeld || !needsPerson(status) ? null : [...(await haltLines(status, io, ports)), '', WATCHES_ON],
  });
  // A person who leaves waits for no store.
  const found = last && (interrupted.aborted ? last : await placedInFile(last, ports));
  if (found?.state === 'ended') return coded(found, await tellEnding(found, ports, io, json));
  const waits = found !== null && needsPerson(found);
  if (waits && leaveHeld)
    io.out(json ? JSON.stringify({ status: found }) : (await haltLines(found, io, ports)).join('\n'));
  io.err(detached(run.workflowId, waits ? 'waits for an action' : 'goes on'));
  // The run has not ended, and 0 would mean that it was released.
  if (!waits || !leaveHeld) return 1;
  return found.state === 'held' ? coded(found, 4) : 4;
}

const WATCHES_ON = 'This command goes on watching. Ctrl-C leaves it, and the run goes on waiting.';

const detached = (workflowId: string, state: string): string =>
  [
    `Detached: ${workflowId} ${state}.`,
    `  slipway watch ${workflowId}    comes back to it`,
    `  slipway cancel --run ${workflowId}   ends it`,
  ].join('\n');

/** Yields statuses until the run waits for an action of a person, that status included. */
async function* untilHalted(statuses: AsyncIterable<RunStatus>): AsyncIterable<RunStatus> {
  for await (const status of statuses) {
    yield status;
    if (needsPerson(status)) return;
  }
}

/** Whether a run waits for an action. A gate that only waits for its time (`soak`) needs no person. */
const needsPerson = ({ state, steps }: RunStatus): boolean =>
  state === 'held' ||
  (state === 'at gate' && steps.some(({ gate }) => gate !== undefined && gate.approvals.length < gate.quorum));

/** Returns failures and gates of a run that waits for an action, and the commands that it takes. */
async function haltLines(status: RunStatus, io: Io, ports: Ports): Promise<readonly string[]> {
  const paint = colours(io.terminal.colour);
  const facts = await nextFacts(status, ports);
  return [
    ...failedLines(await placedInFile(status, ports), facts, paint),
    ...gateLines(status, paint),
    ...nextLines(status, facts, paint),
  ];
}
