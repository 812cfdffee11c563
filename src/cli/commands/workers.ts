import type { CommandSpec } from '../command.js';
import { fleetView } from '../fleet.js';
import type { Ports } from '../ports.js';
import { clip, colours } from '../render/paint.js';
import { workerLines } from '../screens/workers.js';

export const workers: CommandSpec<Ports> = {
  name: 'workers',
  summary: 'who serves which queue, with slots and tools; queues that nobody serves and who could',
  options: [{ flags: '--json', help: 'all that is known as one JSON object' }],
  async run({ options }, io, ports) {
    const view = await fleetView(ports);
    const { live, columns, colour } = io.terminal;
    const lines = workerLines(view, colours(colour)).map((line) => (live ? clip(line, columns) : line));
    io.out(options['json'] === true ? JSON.stringify(view) : lines.join('\n'));
    return 0;
  },
};
