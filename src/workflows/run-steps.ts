import type { Command, LookupFrom } from '../engine/run/inputs.js';
import type { Scheduler } from '../engine/run/scheduler.js';
import type { UnsentNotices, Notice } from '../model/notice.js';
import type { WordAnswer } from '../model/words.js';
import type { Inputs } from './inputs.js';

/** Executes the commands of the scheduler. Each method returns at once, and its outcome arrives as an input. */
export interface CommandExecutor {
  start(command: Extract<Command, { do: 'start' }>): void;
  /** Reads the manifest and targets of a gate. */
  open(command: Extract<Command, { do: 'open' }>): void;
  /** Looks up cached results. */
  reuse(walk: number, where: LookupFrom): void;
  abort(step: number): void;
  /** Sets the one timer. Null clears it. */
  wakeIn(inMs: number | null): void;
  /** Notifies people of what waits for them. */
  tell(no: number, notices: readonly Notice[], more: UnsentNotices): void;
  /** Answers the word that arrived as the input with this number. */
  answer(no: number, answer: WordAnswer): void;
}

/** Feeds numbered inputs (step endings, wake-ups, cancel) to the scheduler and carries out its commands.
 * @param onChange called before each wait, when everything so far has been applied
 * @param handOverDue whether another is to go on from here
 * @returns whether all steps have ended */
export async function runSteps(
  scheduler: Scheduler,
  inputs: Inputs,
  hands: CommandExecutor,
  onChange: () => void,
  handOverDue: () => boolean,
): Promise<boolean> {
  for (;;) {
    for (const input of inputs.take()) scheduler.apply(input);
    for (const command of scheduler.next()) carryOut(command, hands);
    onChange();
    if (scheduler.ended) return true;
    if (handOverDue()) return false;
    await inputs.arrival();
  }
}

function carryOut(command: Command, hands: CommandExecutor): void {
  switch (command.do) {
    case 'start':
      return hands.start(command);
    case 'open':
      return hands.open(command);
    case 'reuse': {
      const { do: _, step: __, attempt, ...where } = command;
      return hands.reuse(attempt, where);
    }
    case 'abort':
      return hands.abort(command.step);
    case 'wakeAt':
      return hands.wakeIn(command.inMs);
    case 'tell':
      return hands.tell(command.no, command.notices, command.more);
    case 'answer':
      return hands.answer(command.no, command.answer);
    case 'end':
      return; // the loop sees `scheduler.ended`
    default:
      return command satisfies never;
  }
}
