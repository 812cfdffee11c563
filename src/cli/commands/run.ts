import type { CommandSpec, Io } from '../command.js';
import { requireClient } from '../find-run.js';
import { GIVEN_OPTIONS, givenIn } from '../given.js';
import { noteUncommitted } from '../note-uncommitted.js';
import { noteFile } from '../placed.js';
import type { Ports } from '../ports.js';
import { pageOf } from '../tell-ending.js';
import { watchRun } from '../watch-run.js';

export const run: CommandSpec<Ports> = {
  name: 'run',
  summary: 'carry out a release file; the same release twice is the same run',
  arguments: [{ name: '[file]', help: 'release file (default: slipway.yaml)' }],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    ...GIVEN_OPTIONS,
    {
      flags: '--wait',
      help: 'watch until it ends (default on a terminal); exit 0 released or rehearsed, 1 failed, 3 cancelled',
    },
    { flags: '--no-wait', help: 'start it and return' },
    { flags: '--json', help: 'one JSON object per change, the ending last' },
  ],
  async run({ args, options }, io, ports) {
    const client = await requireClient(ports);
    try {
      const file = args['file'] ?? 'slipway.yaml';
      const { plan, digest } = await ports.submit(file, String(options['profile']), givenIn(options));
      await noteUncommitted(file, ports, io);
      const started = await client.start({
        plan: digest,
        profile: plan.profile.name,
        name: plan.release.name,
        version: plan.release.version,
        rehearsal: plan.profile.rehearsal,
      });
      await noteFile(started.run, file, ports);
      const ui = (await ports.services()).ui();
      const json = options['json'] === true;
      if (!json) tellStart(started, digest, ui && pageOf(ui, started), io);
      if (options['wait'] ?? io.terminal.live) return await watchRun(client, started, io, ports, json);
      if (json) io.out(JSON.stringify(started));
      else io.err(`Watch it with \`slipway watch ${started.workflowId}\`.`);
      return 0;
    } finally {
      await client.close();
    }
  },
};

function tellStart(
  started: { workflowId: string; run: string; existing: boolean },
  digest: string,
  page: string | null,
  io: Io,
): void {
  io.err(
    `${started.existing ? 'Already running' : 'Started'}: ${started.workflowId}  plan ${digest.slice(0, 19)}  run ${started.run}`,
  );
  if (page) io.err(page);
}
