import { counted } from '../../model/counted.js';
import type { Finding } from '../../model/finding.js';
import { canonical } from '../../model/json.js';
import type { CommandSpec } from '../command.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { noticeLines, noticesOf } from '../screens/notices.js';

/** Presets that extend the same one repeat its errors. */
const distinct = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((one) => [canonical(one), one])).values(),
];

export const check: CommandSpec<Ports> = {
  name: 'check',
  summary: 'check a release file: every problem with its place; exit 2 if there is one',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [{ flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' }],
  async run({ args, options }, io, ports) {
    const file = args['file'] ?? 'slipway.yaml';
    const profile = String(options['profile']);
    const checked = await notingUncommitted(file, ports, io, () => ports.planWithRows(file, profile, {}));
    const { plan, settings } = checked;
    const parts = settings?.lint?.() ?? [];
    const { release, steps, dropped } = plan;
    const left = dropped.length > 0 ? `, ${dropped.length} left out` : '';
    const found = [...noticesOf(plan), ...parts.flatMap(({ findings }) => findings)];
    const errors = distinct(found.filter(({ level }) => level === 'error'));
    for (const line of noticeLines(errors)) io.out(line);
    const verdict =
      errors.length === 0
        ? 'ok'
        : `${counted(errors.length, 'error')} in what it ${parts.length === 0 ? 'imports' : 'reads'}`;
    io.out(`${verdict}: ${release.name} ${release.version}, ${steps.length} steps${left}`);
    return errors.length === 0 ? 0 : 2;
  },
};
