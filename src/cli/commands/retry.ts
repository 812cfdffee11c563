import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { stepOrAll } from '../errors.js';
import type { Ports } from '../ports.js';
import { sayWord, WORD_OPTIONS } from '../say-word.js';

export const retry: CommandSpec<Ports> = {
  name: 'retry',
  summary: 'try a held step again, with a new budget',
  arguments: [{ name: '[step]', help: 'id of the step, as `slipway status` shows it' }],
  options: [{ flags: '--all-failed', help: 'every step that is held' }, ...WORD_OPTIONS],
  async run({ args, options }, io, ports) {
    const { step } = args;
    if ((step === undefined) !== (options['allFailed'] === true)) throw fail(stepOrAll());
    return sayWord({ word: 'retry', ...(step !== undefined && { step }) }, options, io, ports);
  },
};
