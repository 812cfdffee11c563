import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';
import { sayWord, WORD_OPTIONS } from '../say-word.js';

export const pause: CommandSpec<Ports> = {
  name: 'pause',
  summary: 'start nothing more; what runs goes on',
  options: WORD_OPTIONS,
  run: ({ options }, io, ports) => sayWord({ word: 'pause' }, options, io, ports),
};

export const resume: CommandSpec<Ports> = {
  name: 'resume',
  summary: 'go on after a pause',
  options: WORD_OPTIONS,
  run: ({ options }, io, ports) => sayWord({ word: 'resume' }, options, io, ports),
};
