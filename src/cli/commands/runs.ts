import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { unknownRun } from '../errors.js';
import { runsNamed } from '../find-log.js';
import { RECENT, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { runLines } from '../screens/runs.js';

const SHOWN = 20;

export const runs: CommandSpec<Ports> = {
  name: 'runs',
  summary: 'runs that the server knows: open ones first, with what they wait for, then those that ended',
  arguments: [{ name: '[name]', help: 'only runs of this name' }],
  options: [{ flags: '--json', help: `the newest ${RECENT} runs, one JSON object a line` }],
  async run({ args, options }, io, ports) {
    await using client = await requireClient(ports);
    const { name } = args;
    const meant = runsNamed(await client.runs(RECENT), name);
    if (meant.length === 0 && name !== undefined) throw fail(unknownRun(name));
    const found = [...meant.filter(({ open }) => open), ...meant.filter(({ open }) => !open)];
    if (options['json'] === true) for (const one of found) io.out(JSON.stringify(one));
    else if (found.length === 0) io.out('There is no run yet. `slipway run` starts one.');
    else io.out(runLines(found.slice(0, SHOWN), Date.now()).join('\n'));
    if (options['json'] !== true && found.length > SHOWN)
      io.err(`${found.length - SHOWN} more: \`slipway runs --json\` has up to ${RECENT}.`);
    return 0;
  },
};
