import '../adapters/tell-uncaught.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { packageRoot } from '../adapters/home.js';
import { pathLine } from '../adapters/launcher.js';
import type { CommandSpec, ExitCode, Input, Io } from './command.js';
import { FEATURE_CLIS } from '../features/cli.js';
import { commandGroups } from './commands.js';
import { hintingIo } from './hinting-io.js';
import { openPorts } from './open-ports.js';
import type { Ports } from './ports.js';
import { exit, processIo } from './process-io.js';
import { buildProgram } from './program.js';
import { tellFailure } from './tell-failure.js';

async function main(argv: readonly string[]): Promise<ExitCode> {
  const io = processIo();
  let code: ExitCode = 0;
  const program = buildProgram(commandGroups(FEATURE_CLIS), version(), async (spec, input) => {
    code = await carryOut(spec, input, io);
  });
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    // Help and version are "errors" to commander, with exit code 0; the rest is usage.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

async function carryOut(spec: CommandSpec<Ports>, input: Input, plainIo: Io): Promise<ExitCode> {
  const { io, hinted } = hintingIo(plainIo, spec.name);
  try {
    return await spec.run(input, io, openPorts());
  } catch (error) {
    return tellFailure(error, { spec, input }, io, process.env['SLIPWAY_DEBUG'] !== undefined);
  } finally {
    const line = hinted() ? pathLine() : null;
    if (line) io.err(`\`slipway\` is not on the PATH of this terminal; type once:\n  ${line}`);
  }
}

const version = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;

void main(process.argv).then(exit);
