import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { reasonMissing } from '../errors.js';
import type { Ports } from '../ports.js';
import { sendAction, ACTION_OPTIONS } from '../send-action.js';

export const skip: CommandSpec<Ports> = {
  name: 'skip',
  summary: 'leave out a step that is held or has not begun, and what needs it',
  arguments: [{ name: '<step>', help: 'id of the step, as `slipway status` shows it' }],
  options: ACTION_OPTIONS,
  async run({ args, options }, io, ports) {
    const { reason } = options;
    if (typeof reason !== 'string') throw fail(reasonMissing('skip'));
    return sendAction({ action: 'skip', step: args['step']!, reason }, options, io, ports);
  },
};
