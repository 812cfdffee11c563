import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';
import { sendAction, ACTION_OPTIONS } from '../send-action.js';

export const pause: CommandSpec<Ports> = {
  name: 'pause',
  summary: 'start nothing more; what runs goes on',
  options: ACTION_OPTIONS,
  run: ({ options }, io, ports) => sendAction({ action: 'pause' }, options, io, ports),
};

export const resume: CommandSpec<Ports> = {
  name: 'resume',
  summary: 'go on after a pause',
  options: ACTION_OPTIONS,
  run: ({ options }, io, ports) => sendAction({ action: 'resume' }, options, io, ports),
};
