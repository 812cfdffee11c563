import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

export const up: CommandSpec<Ports> = {
  name: 'up',
  summary: 'Start the services on this machine, and wait until each answers',
  async run(_input, io, ports) {
    const services = await ports.services();
    await services.up({ onLine: (line) => io.err(line) });
    io.out(`up · ${services.ui() ?? 'no web page'}`);
    return 0;
  },
};
