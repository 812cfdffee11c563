import type { CommandSpec } from './command.js';
import { artifacts } from './commands/artifacts.js';
import { cancel } from './commands/cancel.js';
import { doctor } from './commands/doctor.js';
import { down } from './commands/down.js';
import { run } from './commands/run.js';
import { status } from './commands/status.js';
import { up } from './commands/up.js';
import { watch } from './commands/watch.js';
import type { Ports } from './ports.js';

/** Every command, in the order of `slipway --help`. They are light: what is heavy is loaded by the ports they ask for. */
export const COMMANDS: readonly CommandSpec<Ports>[] = [run, watch, status, artifacts, cancel, up, down, doctor];
