import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';
import { sayWord, WORD_OPTIONS } from '../say-word.js';

export const note: CommandSpec<Ports> = {
  name: 'note',
  summary: 'write something down in the audit of a run',
  arguments: [{ name: '<text>', help: 'what is to be remembered' }],
  options: WORD_OPTIONS.filter(({ flags }) => !flags.startsWith('--reason')),
  run: ({ args, options }, io, ports) => sayWord({ word: 'note', reason: args['text']! }, options, io, ports),
};
