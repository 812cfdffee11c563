import { closing } from '../closing.js';
import type { CommandSpec } from '../command.js';
import { ONE_PAGE } from '../find-run.js';
import type { Ports } from '../ports.js';
import { plain } from '../render/paint.js';

/** Open runs named before the rest is counted. */
const NAMED = 5;

export const down: CommandSpec<Ports> = {
  name: 'down',
  summary: 'end the services that `slipway up` started, and nothing else; what they hold is kept',
  async run(_input, io, ports) {
    const services = await ports.services();
    for (const line of services.address('temporal') === null ? [] : await openLines(ports)) io.err(line);
    await services.down({ onLine: (line) => io.err(line) });
    io.out('down');
    return 0;
  },
};

/** Returns the lines about open runs. None if the server does not answer, since `down` must not fail then. */
async function openLines(ports: Ports): Promise<readonly string[]> {
  await using client = await ports.client().then(closing, () => null);
  const open = ((await client?.runs(ONE_PAGE).catch(() => null)) ?? []).filter((run) => run.open);
  if (open.length === 0) return [];
  const more = open.length > NAMED ? [`  and ${open.length - NAMED} more: slipway runs`] : [];
  return [
    'open, and goes on at the next `slipway up`:',
    ...open.slice(0, NAMED).map((run) => `  ${plain(run.workflowId)}`),
    ...more,
  ];
}
