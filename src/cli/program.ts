import { Command, Option } from 'commander';
import type { CommandGroup, CommandSpec, Input } from './command.js';

/** The command line of tables of commands. `onRun` gets what the person chose; usage errors throw CommanderError. */
export function buildProgram<Ports>(
  groups: readonly CommandGroup<Ports>[],
  version: string,
  onRun: (spec: CommandSpec<Ports>, input: Input) => Promise<void>,
): Command {
  const program = new Command('slipway')
    .description('Durable release pipelines: one file describes a release, Temporal carries it out.')
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('Type `slipway --help` for the commands.');
  for (const { title, commands } of groups)
    for (const spec of commands) program.addCommand(buildCommand(spec, onRun).helpGroup(title));
  return program;
}

function buildCommand<Ports>(
  spec: CommandSpec<Ports>,
  onRun: (spec: CommandSpec<Ports>, input: Input) => Promise<void>,
): Command {
  const command = new Command(spec.name)
    .description(spec.summary)
    .exitOverride()
    .showHelpAfterError(`Type \`slipway ${spec.name} --help\`.`);
  for (const { name, help } of spec.arguments ?? []) command.argument(name, help);
  for (const { flags, help, default: value, many } of spec.options ?? []) {
    const option = value === undefined ? new Option(flags, help) : new Option(flags, help).default(value);
    command.addOption(
      many
        ? option.argParser((one: string, all?: string) => (all === undefined ? one : `${all}${many}${one}`))
        : option,
    );
  }
  return command.action(async (...given: unknown[]) => {
    const names = (spec.arguments ?? []).map(({ name }) => name.replace(/[^\w-]/g, ''));
    const rest = given.find((one): one is string[] => Array.isArray(one)) ?? [];
    const args = Object.fromEntries(names.map((name, at) => [name, textOf(given[at])]));
    await onRun(spec, { args, rest, options: command.opts() });
  });
}

/** The first of several. */
const textOf = (given: unknown): string | undefined => (Array.isArray(given) ? given[0] : given) as string | undefined;
