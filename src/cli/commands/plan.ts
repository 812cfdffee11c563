import { canonical } from '../../model/json.js';
import { digestOf } from '../../model/digest.js';
import type { CommandSpec } from '../command.js';
import { noteUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { planLines } from '../screens/plan.js';

export const plan: CommandSpec<Ports> = {
  name: 'plan',
  summary: 'show what a release would do: every step, what is left out, what changes outside',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    { flags: '--json', help: 'the plan itself, as its digest is taken' },
  ],
  async run({ args, options }, io, ports) {
    const file = args['file'] ?? 'slipway.yaml';
    const made = await ports.plan(file, String(options['profile']));
    await noteUncommitted(file, ports, io);
    if (options['json'] === true) io.out(canonical(made));
    else io.out(planLines(made, digestOf(made, ports.hash), colours(io.terminal.colour)).join('\n'));
    return 0;
  },
};
