import type { CommandSpec } from '../command.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';

export const check: CommandSpec<Ports> = {
  name: 'check',
  summary: 'check a release file: every problem with its place; exit 2 if there is one',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [{ flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' }],
  async run({ args, options }, io, ports) {
    const file = args['file'] ?? 'slipway.yaml';
    const profile = String(options['profile']);
    const { release, steps, dropped } = await notingUncommitted(file, ports, io, () => ports.plan(file, profile));
    const left = dropped.length > 0 ? `, ${dropped.length} left out` : '';
    io.out(`ok: ${release.name} ${release.version}, ${steps.length} steps${left}`);
    return 0;
  },
};
