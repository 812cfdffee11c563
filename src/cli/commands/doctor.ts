import { waitSentences, waitsIn } from '../../engine/outages/sentences.js';
import type { RunStatus } from '../../model/messages.js';
import { buildChecks, deploymentsNow } from '../deployments/checks.js';
import { closing } from '../closing.js';
import type { CommandSpec } from '../command.js';
import { hasServer, openRuns } from '../find-run.js';
import type { Check, Ports } from '../ports.js';
import { storedPlan } from '../stored-plan.js';

/** Open runs whose plans and waits are read, the newest first. */
const MOST_RUNS = 20;

export const doctor: CommandSpec<Ports> = {
  name: 'doctor',
  summary:
    'ask each service, tool and named server a real question; name what is missing and the command that mends it',
  arguments: [
    {
      name: '[file]',
      help: 'release file or its folder: asks the servers that it names (default: those of open runs)',
    },
  ],
  options: [
    { flags: '--profile <name>', help: 'with a file: addresses and credentials behind the targets', default: 'local' },
    { flags: '--json', help: 'the findings as JSON' },
  ],
  async run({ args: { file }, options }, io, ports) {
    const open = file === undefined ? await answering(ports).catch(() => []) : [];
    const plans =
      file === undefined
        ? await Promise.all(open.map(({ plan }) => storedPlan(plan, ports).catch(() => null)))
        : [(await ports.planWithRows(file, String(options['profile']), {})).plan];
    const { receiversIn } = await import('../../plan/policy/receivers.js'); // it loads schemas of features
    const named = plans.filter((plan) => plan !== null).flatMap(receiversIn);
    const services = await (await ports.services()).doctor(named);
    const builds = file === undefined ? buildChecks(await deploymentsNow(ports)) : [];
    const checks = [...services, ...builds, ...open.flatMap(waitRows)];
    io.out(options['json'] === true ? JSON.stringify(checks, null, 2) : table(checks));
    return checks.every((check) => check.ok) ? 0 : 1;
  },
};

/** Returns open runs that a worker answers for. */
async function answering(ports: Ports): Promise<readonly RunStatus[]> {
  if (!(await hasServer(ports))) return [];
  await using client = closing(await ports.client());
  const found = (await openRuns(client))
    .slice(0, MOST_RUNS)
    .map(({ workflowId, run }) => client.status(workflowId, run).catch(() => null));
  return (await Promise.all(found)).filter((status) => status !== null);
}

const waitRows = (status: RunStatus): readonly Check[] =>
  waitsIn(status).map((wait) => {
    const sentences = waitSentences(wait, Date.now());
    return { name: status.workflowId, ok: false, detail: sentences.slice(0, -1).join(': '), mend: sentences.at(-1)! };
  });

function table(checks: readonly Check[]): string {
  const width = Math.max(...checks.map((check) => check.name.length));
  const lines = checks.flatMap((check) => [
    `${check.ok ? 'ok ' : 'NO '} ${check.name.padEnd(width)}  ${check.detail}`,
    ...(check.ok ? [] : [`    ${''.padEnd(width)}  mend: ${check.mend}`]),
  ]);
  return lines.join('\n');
}
