import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { oneWay, planNotStored } from '../errors.js';
import { meantStep, newestRun } from '../find-log.js';
import type { Ports, Reproduce } from '../ports.js';
import { storedPlan } from '../stored-plan.js';

export const reproduce: CommandSpec<Ports> = {
  name: 'reproduce',
  summary: 'sit down at a step: same inputs, container or toolchain, environment and folder, and a shell',
  arguments: [{ name: '<step>', help: 'id of a step that builds, tests or runs a command' }],
  options: [
    { flags: '--run <run>', help: 'name, workflow id or first digits of a run id (default: the newest)' },
    { flags: '--command <line>', help: 'this shell line there, in place of a shell' },
    { flags: '--exec', help: "the step's own line, as it always runs" },
    { flags: '--with-secrets', help: 'also variables that hold secrets' },
  ],
  async run({ args, options }, _io, ports) {
    const way = wayOf(options);
    const store = await ports.store();
    const { run, plan } = await newestRun(store, typeof options['run'] === 'string' ? options['run'] : undefined);
    if (plan === null) throw fail(planNotStored(run));
    const stored = await storedPlan(plan, ports);
    if (stored === null) throw fail(planNotStored(run));
    const known = stored.steps.map(({ id }) => id);
    const step = meantStep(known, args['step'] ?? '', run);
    const code = await ports.reproduce({ ...{ run, plan, step, way }, withSecrets: options['withSecrets'] === true });
    return code === 0 ? 0 : 1;
  },
};

function wayOf(options: Readonly<Record<string, string | boolean | undefined>>): Reproduce['way'] {
  const { command, exec } = options;
  if (typeof command === 'string' && exec === true) throw fail(oneWay());
  if (typeof command === 'string') return { do: 'command', line: command };
  return { do: exec === true ? 'exec' : 'shell' };
}
