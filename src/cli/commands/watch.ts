import type { CommandSpec } from '../command.js';
import { assertHasSteps, findRun, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { onHoldIn, watchRun } from '../watch-run.js';

export const watch: CommandSpec<Ports> = {
  name: 'watch',
  summary: 'show a run until it ends, or waits for an action; exit codes as of run --wait',
  arguments: [{ name: '[run]', help: 'name, workflow id or first digits of a run id (default: the newest)' }],
  options: [
    {
      flags: '--on-hold <what>',
      help: 'when it waits for an action: wait on (default on a terminal), or exit with 4 and leave it (default elsewhere)',
    },
    { flags: '--json', help: 'one JSON object per change, the ending last' },
  ],
  async run({ args, options }, io, ports) {
    assertHasSteps(args['run']);
    const onHold = onHoldIn(options, io, ['wait', 'exit']);
    await using client = await requireClient(ports);
    const found = await findRun(client, args['run']);
    return await watchRun(client, found, io, ports, { json: options['json'] === true, leaveHeld: onHold === 'exit' });
  },
};
