import { why as draw } from '../../engine/why/why.js';
import type { CommandSpec } from '../command.js';
import { noSuchStep } from '../errors.js';
import { meantStep } from '../find-log.js';
import { statusOf } from '../find-run.js';
import { factsOf } from '../find-why.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { whyLines } from '../screens/why.js';
import { planOf } from '../stored-plan.js';

export const why: CommandSpec<Ports> = {
  name: 'why',
  summary: 'why a step ran, was reused or was not (the field that changed), waits, is held or was left out',
  arguments: [{ name: '<step>', help: 'id of a step, or a part of it' }],
  options: [
    { flags: '--run <run>', help: 'workflow id or first digits of a run id (default: the newest)' },
    { flags: '--json', help: 'all that is known as one JSON object' },
  ],
  async run({ args, options }, io, ports) {
    const run = typeof options['run'] === 'string' ? options['run'] : undefined;
    const status = await statusOf(ports, run);
    const plan = await planOf(status, ports);
    const known = [...plan.steps, ...plan.dropped].map(({ id }) => id);
    const step = meantStep(known, args['step'] ?? '', status.run, noSuchStep);
    const told = draw(await factsOf(step, plan, status, ports), ports.hash);
    if (options['json'] === true) io.out(JSON.stringify({ run: status.run, workflowId: status.workflowId, ...told }));
    else io.out(whyLines(told, run, colours(io.terminal.colour)).join('\n'));
    return 0;
  },
};
