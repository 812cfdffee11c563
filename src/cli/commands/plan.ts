import { canonical } from '../../model/json.js';
import { digestOf } from '../../model/digest.js';
import { missingSince, previousOf } from '../../plan/against.js';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import type { CommandSpec, ExitCode, Io } from '../command.js';
import { notAPrevious } from '../errors.js';
import { EVERY_PROBLEM, GIVEN_OPTIONS, givenIn } from '../given.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { planLines } from '../screens/plan.js';

export const plan: CommandSpec<Ports> = {
  name: 'plan',
  summary: 'show what a release would do: every step, what is left out, what changes outside',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    ...GIVEN_OPTIONS,
    EVERY_PROBLEM,
    {
      flags: '--against <file>',
      help: 'plan or manifest of the last release: what it had and this lacks; exit 1 if so',
    },
    { flags: '--expanded', help: 'the release file as if its imported entries had been written by hand' },
    {
      flags: '--facts <digest>',
      help: 'plan from what a former run read of its source, without the repository; `plan --json` has the digest',
    },
    { flags: '--json', help: 'the plan itself, as its digest is taken' },
  ],
  async run({ args, options }, io, ports): Promise<ExitCode> {
    const file = args['file'] ?? 'slipway.yaml';
    const profile = String(options['profile']);
    const given = givenIn(options);
    const facts = typeof options['facts'] === 'string' ? options['facts'] : undefined;
    if (options['expanded'] === true) {
      io.out(await ports.expanded(file, profile, given, facts));
      return 0;
    }
    const { plan: made, settings } = await notingUncommitted(file, ports, io, () =>
      ports.planWithRows(file, profile, given, facts),
    );
    const paint = colours(io.terminal.colour);
    if (options['json'] === true) io.out(canonical(made));
    else io.out(planLines(made, digestOf(made, ports.hash), paint, ports.screens, settings?.document).join('\n'));
    const before = options['against'];
    return typeof before === 'string' ? tellMissing(before, made, io, ports) : 0;
  },
};

/** Chatter, so that `--json` stays one plan. */
async function tellMissing(path: string, made: Plan, io: Io, ports: Ports): Promise<ExitCode> {
  const read = await ports.json(path).catch((error: Error) => {
    throw fail(notAPrevious(path, error.message), error);
  });
  const previous = previousOf(read);
  if (!previous) throw fail(notAPrevious(path, 'it says nothing of a release, its steps or what was done'));
  const found = missingSince(previous, made);
  for (const { level, why, next } of found) io.err(`${level}: ${why}${next && `\n  ${next}`}`);
  if (found.length === 0) io.err(`complete: all ${previous.variants.length} variants of ${previous.version} are in it`);
  return found.some(({ level }) => level === 'error') ? 1 : 0;
}
