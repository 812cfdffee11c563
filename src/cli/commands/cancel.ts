import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { runIsClosed } from '../errors.js';
import { findRun, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';

export const cancel: CommandSpec<Ports> = {
  name: 'cancel',
  summary: 'stop a run; what tidies up still runs',
  arguments: [{ name: '[run]', help: 'workflow id or first digits of a run id (default: the newest)' }],
  options: [{ flags: '--reason <text>', help: 'kept in the verdict', default: 'cancelled by hand' }],
  async run({ args, options }, io, ports) {
    const client = await requireClient(ports);
    try {
      const { workflowId, run } = await findRun(client, args['run']);
      if ((await client.status(workflowId, run)).state === 'ended') throw fail(runIsClosed(workflowId));
      await client.cancel(workflowId, String(options['reason']));
      io.out(`Asked ${workflowId} to stop. Watch it end with \`slipway watch ${workflowId}\`.`);
      return 0;
    } finally {
      await client.close();
    }
  },
};
