import { condition } from '@temporalio/workflow';
import type { Command } from '../engine/run/inputs.js';
import type { Scheduler } from '../engine/run/scheduler.js';
import type { ActionAnswer } from '../model/actions.js';
import type { Inputs } from './inputs.js';
import { assertNotReset, isReset } from './reset.js';
import type { TemporalExecutor } from './temporal-executor.js';

/** The parts of a run around its scheduler. */
export interface RunLoop {
  readonly inputs: Inputs;
  readonly executor: TemporalExecutor;
  /** Notifies people of what waits for them. */
  notify(notices: Extract<Command, { do: 'notify' }>): void;
  /** Answers the action that arrived as the input with this number. */
  answer(no: number, answer: ActionAnswer): void;
  /** Called before each wait, when everything so far has been applied. */
  onChange(): void;
  /** Whether the history has grown so long that the run should continue as new. */
  isLong(): boolean;
  /** Whether nothing is under way that the next history would not hear of. */
  isIdle(): boolean;
}

/** Feeds numbered inputs (step endings, wake-ups, actions) to the scheduler and executes its commands. Returns true once all steps
 * have ended. Returns false once the history is long and nothing is under way. Throws RUN_WAS_RESET. */
export async function runSteps(scheduler: Scheduler, around: RunLoop): Promise<boolean> {
  for (let draining = false; ;) {
    assertNotReset();
    for (const input of around.inputs.take()) scheduler.apply(input);
    draining ||= around.isLong();
    if (draining) scheduler.drain();
    for (const command of scheduler.next()) carryOut(command, around);
    around.onChange();
    if (scheduler.ended) return true;
    if (draining && around.isIdle()) return false;
    await condition(() => around.inputs.some || isReset() || (draining && around.isIdle()));
  }
}

function carryOut(command: Command, { executor, notify, answer }: RunLoop): void {
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
      return executor.wakeIn(command);
    case 'notify':
      return notify(command);
    case 'answer':
      return answer(command.no, command.answer);
    case 'end':
      return; // the loop sees `scheduler.ended`
    default:
      return command satisfies never;
  }
}
