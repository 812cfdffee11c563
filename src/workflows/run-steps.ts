import { condition } from '@temporalio/workflow';
import type { Command, LookupFrom } from '../engine/run/inputs.js';
import type { Scheduler } from '../engine/run/scheduler.js';
import type { UnsentNotices, Notice } from '../model/notice.js';
import type { ActionAnswer } from '../model/actions.js';
import type { Inputs } from './inputs.js';

/** Executes the commands of the scheduler. Each method returns at once, and its outcome arrives as an input. */
export interface CommandExecutor {
  start(command: Extract<Command, { do: 'start' }>): void;
  /** Reads the manifest and targets of a gate. */
  open(command: Extract<Command, { do: 'open' }>): void;
  /** Looks up cached results. */
  lookUp(attempt: number, where: LookupFrom): void;
  abort(step: number): void;
  /** Sets the one timer. Null clears it. */
  wakeIn(inMs: number | null): void;
  /** Notifies people of what waits for them. */
  notify(no: number, notices: readonly Notice[], more: UnsentNotices): void;
  /** Answers the action that arrived as the input with this number. */
  answer(no: number, answer: ActionAnswer): void;
}

/** The parts of a run around its scheduler. */
export interface RunLoop {
  readonly inputs: Inputs;
  readonly executor: CommandExecutor;
  /** Called before each wait, when everything so far has been applied. */
  onChange(): void;
  /** Whether the history has grown so long that the run should continue as new. */
  isLong(): boolean;
  /** Whether nothing is under way that the next history would not hear of. */
  isIdle(): boolean;
}

/** Feeds numbered inputs (step endings, wake-ups, actions) to the scheduler and executes its commands. Returns true once all steps
 * have ended. Returns false once the history is long and nothing is under way. */
export async function runSteps(scheduler: Scheduler, around: RunLoop): Promise<boolean> {
  for (let draining = false; ;) {
    for (const input of around.inputs.take()) scheduler.apply(input);
    draining ||= around.isLong();
    if (draining) scheduler.drain();
    for (const command of scheduler.next()) carryOut(command, around.executor);
    around.onChange();
    if (scheduler.ended) return true;
    if (draining && around.isIdle()) return false;
    await condition(() => around.inputs.some || (draining && around.isIdle()));
  }
}

function carryOut(command: Command, executor: CommandExecutor): void {
  switch (command.do) {
    case 'start':
      return executor.start(command);
    case 'open':
      return executor.open(command);
    case 'look up': {
      const { do: _, step: __, attempt, ...where } = command;
      return executor.lookUp(attempt, where);
    }
    case 'abort':
      return executor.abort(command.step);
    case 'wakeAt':
      return executor.wakeIn(command.inMs);
    case 'notify':
      return executor.notify(command.no, command.notices, command.more);
    case 'answer':
      return executor.answer(command.no, command.answer);
    case 'end':
      return; // the loop sees `scheduler.ended`
    default:
      return command satisfies never;
  }
}
