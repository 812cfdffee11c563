import type { CommandSpec } from '../command.js';
import { warnIdle } from '../deployments/checks.js';
import type { Ports } from '../ports.js';

export const up: CommandSpec<Ports> = {
  name: 'up',
  summary: 'start the services on this machine, and wait until each answers',
  options: [
    {
      flags: '--store <kind>',
      help: 'where results are kept from now on: `directory`, or `s3` on a server that is started here',
    },
    {
      flags: '--only <names>',
      help: 'start these services and no workers; a comma separates names. Hosts that share a Temporal server divide the services (docs/hosts.md)',
    },
  ],
  async run({ options: { store, only } }, io, ports) {
    const services = await ports.services();
    await services.up({
      onLine: (line) => io.err(line),
      ...(typeof store === 'string' && { store }),
      ...(typeof only === 'string' && { only: only.split(',').filter(Boolean) }),
    });
    if (only === undefined) await warnIdle(io, ports);
    const [page, wheels] = [services.link(), services.address('wheels')];
    io.out(page ? `up · Temporal's web page: ${page}` : 'up');
    if (page) io.out(`for the \`temporal\` CLI and SDKs: export TEMPORAL_CONFIG_FILE=${services.config()}`);
    if (wheels)
      io.out(`indexes of wheels: ${wheels}PLATFORM/simple/, what they lack: ${wheels}PLATFORM/simple/status.html`);
    return 0;
  },
};
