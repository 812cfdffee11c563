import { BISECTS } from '../../model/bisect.js';
import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { runIsClosed } from '../errors.js';
import { findRun, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { sendAction, signed, ACTION_OPTIONS } from '../send-action.js';

export const cancel: CommandSpec<Ports> = {
  name: 'cancel',
  summary: 'stop a run, what tidies up still runs; or stop one step, which is then held',
  arguments: [{ name: '[step]', help: 'id of a running step (default: the whole run)' }],
  options: ACTION_OPTIONS,
  async run({ args, options }, io, ports) {
    const { step } = args;
    if (step !== undefined) return sendAction({ action: 'cancel', step }, options, io, ports);
    await using client = await requireClient(ports);
    const { workflowId, run } = await findRun(client, typeof options['run'] === 'string' ? options['run'] : undefined);
    const isBisect = workflowId.startsWith(BISECTS);
    if (!isBisect && (await client.status(workflowId, run)).state === 'ended') throw fail(runIsClosed(workflowId));
    const { reason = 'cancelled by hand', by } = signed({ action: 'cancel' }, options, ports);
    await client.cancel(workflowId, reason, run, by);
    const watching = isBisect ? 'its tries are stopped with it' : `watch it end with \`slipway watch ${workflowId}\``;
    io.out(`Asked ${workflowId} to stop; ${watching}.`);
    return 0;
  },
};
