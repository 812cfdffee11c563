import { counted } from '../../model/counted.js';
import type { Finding } from '../../model/finding.js';
import { canonical } from '../../model/json.js';
import type { SettingsPart } from '../../plan/feature.js';
import { withPlans } from '../presets-planned.js';
import type { CommandSpec } from '../command.js';
import { EVERY_PROBLEM } from '../given.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { noticeLines, noticesOf } from '../screens/notices.js';

const MOST_NAMES = 5;

/** Errors of all parts. One that several presets have names them all. */
function errorsIn(parts: readonly Pick<SettingsPart, 'name' | 'by' | 'findings'>[]): readonly Finding[] {
  const found = new Map<string, { readonly finding: Finding; readonly by: string[] }>();
  for (const { name, by, findings } of parts)
    for (const finding of findings.filter(({ level }) => level === 'error')) {
      const known = found.get(canonical(finding)) ?? { finding, by: [] };
      if (by !== undefined) known.by.push(`${by} ${name}`);
      found.set(canonical(finding), known);
    }
  return [...found.values()].map(({ finding, by }) => ({
    ...finding,
    why:
      by.length === 0
        ? finding.why
        : `${finding.why} (${by.slice(0, MOST_NAMES).join(', ')}${by.length > MOST_NAMES ? ` and ${by.length - MOST_NAMES} more` : ''})`,
  }));
}

export const check: CommandSpec<Ports> = {
  name: 'check',
  summary: 'check a release file: every problem with its place; exit 2 if there is one',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    EVERY_PROBLEM,
  ],
  async run({ args, options }, io, ports) {
    const file = args['file'] ?? 'slipway.yaml';
    const profile = String(options['profile']);
    const checked = await notingUncommitted(file, ports, io, () => ports.planWithRows(file, profile, {}));
    const { plan, settings } = checked;
    const parts = await withPlans(settings?.lint?.() ?? [], checked.planWith, file);
    const { release, steps, dropped } = plan;
    const left = dropped.length > 0 ? `, ${dropped.length} left out` : '';
    const errors = errorsIn([{ name: file, findings: noticesOf(plan) }, ...parts]);
    for (const line of noticeLines(errors)) io.out(line);
    const verdict =
      errors.length === 0
        ? 'ok'
        : `${counted(errors.length, 'error')} in what it ${parts.length === 0 ? 'imports' : 'reads'}`;
    io.out(`${verdict}: ${release.name} ${release.version}, ${steps.length} steps${left}`);
    return errors.length === 0 ? 0 : 2;
  },
};
