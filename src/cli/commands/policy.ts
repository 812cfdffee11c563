import { fail } from '../../model/failure.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { noSuchPolicyAction } from '../errors.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { explainedLines, isRefused, policyLines } from '../screens/policy.js';

export const policy: CommandSpec<Ports> = {
  name: 'policy',
  summary: 'what this worker may publish: `policy check`, `policy explain FILE`, `policy init FILE`',
  arguments: [
    {
      name: '<action>',
      help: 'check: read the policy. explain: say for each target of a release file whether it may be published. init: write a draft to review',
    },
    { name: '[file]', help: 'of explain and init: release file or its folder (default: slipway.yaml)' },
  ],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'live' },
    { flags: '--print', help: 'of init: print the draft instead of writing it' },
  ],
  run: (input, io, ports) => {
    const action = input.args['action'] ?? '';
    const act = { check, explain, init }[action];
    if (act === undefined) throw fail(noSuchPolicyAction(action));
    return act(input, io, ports);
  },
};

async function check(_: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const { path, read } = await ports.policy();
  const found = await read();
  io.out(policyLines(path, found?.content ?? null).join('\n'));
  return 0;
}

async function explain(input: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const { explain: ask } = await ports.policy();
  const { plan } = await ports.planWithRows(fileOf(input), String(input.options['profile']), {});
  const asked = await ask(plan);
  io.out(explainedLines(asked, colours(io.terminal.colour)).join('\n'));
  return asked.judged.some(({ problems }) => problems.length > 0) || asked.uses.some(isRefused) ? 1 : 0;
}

async function init(input: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const { path, draft, writeNew } = await ports.policy();
  const profile = String(input.options['profile']);
  const text = await draft(fileOf(input), profile);
  if (input.options['print'] === true) {
    io.out(text.trimEnd());
    return 0;
  }
  await writeNew(path, text);
  io.out(`wrote ${path}`);
  const asked = `${fileOf(input)}${profile === 'live' ? '' : ` --profile ${profile}`}`;
  io.out(`next: review each line of it, then slipway policy check, then slipway policy explain ${asked}`);
  return 0;
}

const fileOf = ({ args }: Input): string => args['file'] ?? 'slipway.yaml';
