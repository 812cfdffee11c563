import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

export const up: CommandSpec<Ports> = {
  name: 'up',
  summary: 'start the services on this machine, and wait until each answers',
  async run(_input, io, ports) {
    const services = await ports.services();
    await services.up({ onLine: (line) => io.err(line) });
    const page = services.ui();
    io.out(page ? `up · Temporal's web page: ${page}` : 'up');
    return 0;
  },
};
