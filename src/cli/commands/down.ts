import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

export const down: CommandSpec<Ports> = {
  name: 'down',
  summary: 'end the services that `slipway up` started, and nothing else; what they hold is kept',
  async run(_input, io, ports) {
    const services = await ports.services();
    await services.down({ onLine: (line) => io.err(line) });
    io.out('down');
    return 0;
  },
};
