import { closing } from '../closing.js';
import type { CommandSpec } from '../command.js';
import { openRuns } from '../find-run.js';
import type { Ports } from '../ports.js';
import { first, plain } from '../render/paint.js';

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
  const open = client && (await openRuns(client).catch(() => null));
  if (!open?.length) return [];
  const draw = (some: typeof open): readonly string[] => some.map((run) => `  ${plain(run.workflowId)}`);
  return ['open, and goes on at the next `slipway up`:', ...first(open, NAMED, draw, 'slipway runs')];
}
