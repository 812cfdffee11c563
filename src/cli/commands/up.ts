import type { CommandSpec } from '../command.js';
import type { Ports } from '../ports.js';

export const up: CommandSpec<Ports> = {
  name: 'up',
  summary: 'start the services on this machine, and wait until each answers',
  options: [
    {
      flags: '--store <kind>',
      help: 'where results are kept from now on: `directory`, or `s3` on a server that is started here',
    },
  ],
  async run({ options: { store } }, io, ports) {
    const services = await ports.services();
    await services.up({ onLine: (line) => io.err(line), ...(typeof store === 'string' ? { store } : {}) });
    const [page, wheels] = [services.link(), services.address('wheels')];
    io.out(page ? `up · Temporal's web page: ${page}` : 'up');
    if (page) io.out(`for the \`temporal\` CLI and SDKs: export TEMPORAL_CONFIG_FILE=${services.config()}`);
    if (wheels)
      io.out(`indexes of wheels: ${wheels}PLATFORM/simple/, what they lack: ${wheels}PLATFORM/simple/status.html`);
    return 0;
  },
};
