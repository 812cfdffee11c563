import type { CommandSpec } from '../command.js';
import { assertHasSteps, findRun, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { watchRun } from '../watch-run.js';

export const watch: CommandSpec<Ports> = {
  name: 'watch',
  summary: 'show a run until it ends',
  arguments: [{ name: '[run]', help: 'name, workflow id or first digits of a run id (default: the newest)' }],
  options: [{ flags: '--json', help: 'one JSON object per change, the ending last' }],
  async run({ args, options }, io, ports) {
    assertHasSteps(args['run']);
    await using client = await requireClient(ports);
    const found = await findRun(client, args['run']);
    return await watchRun(client, found, io, ports, { json: options['json'] === true, leaveHeld: false });
  },
};
