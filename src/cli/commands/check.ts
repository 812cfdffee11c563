import { counted } from '../../model/counted.js';
import type { CommandSpec } from '../command.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { noticeLines, noticesOf } from '../screens/notices.js';

export const check: CommandSpec<Ports> = {
  name: 'check',
  summary: 'check a release file: every problem with its place; exit 2 if there is one',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [{ flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' }],
  async run({ args, options }, io, ports) {
    const file = args['file'] ?? 'slipway.yaml';
    const profile = String(options['profile']);
    const plan = await notingUncommitted(file, ports, io, () => ports.plan(file, profile));
    const { release, steps, dropped } = plan;
    const left = dropped.length > 0 ? `, ${dropped.length} left out` : '';
    const errors = noticesOf(plan).filter(({ level }) => level === 'error');
    for (const line of noticeLines(errors)) io.out(line);
    const verdict = errors.length === 0 ? 'ok' : `${counted(errors.length, 'error')} in what it imports`;
    io.out(`${verdict}: ${release.name} ${release.version}, ${steps.length} steps${left}`);
    return errors.length === 0 ? 0 : 2;
  },
};
