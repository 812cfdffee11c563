import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';
import { sendAction, ACTION_OPTIONS } from '../send-action.js';

export const note: CommandSpec<Ports> = {
  name: 'note',
  summary: 'write something down in the audit of a run',
  arguments: [{ name: '<text>', help: 'what is to be remembered' }],
  options: ACTION_OPTIONS.filter(({ flags }) => !flags.startsWith('--reason')),
  run: ({ args, options }, io, ports) => sendAction({ action: 'note', reason: args['text']! }, options, io, ports),
};
