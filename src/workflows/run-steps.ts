import type { Command, LookupFrom } from '../engine/run/inputs.js';
import type { Scheduler } from '../engine/run/scheduler.js';
import type { UnsentNotices, Notice } from '../model/notice.js';
import type { WordAnswer } from '../model/words.js';
import type { Inputs } from './inputs.js';

/** Carries out what the scheduler wants; each answers at once, and what comes of it arrives as an input. */
export interface CommandExecutor {
  start(command: Extract<Command, { do: 'start' }>): void;
  /** Finds out what a gate is about. */
  open(command: Extract<Command, { do: 'open' }>): void;
  /** Looks up what is known. */
  reuse(walk: number, where: LookupFrom): void;
  abort(step: number): void;
  /** Null: no more. */
  wakeIn(inMs: number | null): void;
  /** Tells people outside what waits for them. */
  tell(no: number, notices: readonly Notice[], more: UnsentNotices): void;
  /** Of the word that came as the input with this number. */
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
