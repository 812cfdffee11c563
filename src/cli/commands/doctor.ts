import type { CommandSpec } from '../command.js';
import type { Check, Ports } from '../ports.js';

export const doctor: CommandSpec<Ports> = {
  name: 'doctor',
  summary: 'ask each service and tool a real question; name what is missing and the command that mends it',
  options: [{ flags: '--json', help: 'the findings as JSON' }],
  async run({ options }, io, ports) {
    const checks = await (await ports.services()).doctor();
    io.out(options['json'] === true ? JSON.stringify(checks, null, 2) : table(checks));
    return checks.every((check) => check.ok) ? 0 : 1;
  },
};

function table(checks: readonly Check[]): string {
  const width = Math.max(...checks.map((check) => check.name.length));
  const lines = checks.flatMap((check) => [
    `${check.ok ? 'ok ' : 'NO '} ${check.name.padEnd(width)}  ${check.detail}`,
    ...(check.ok ? [] : [`    ${''.padEnd(width)}  mend: ${check.mend}`]),
  ]);
  return lines.join('\n');
}
