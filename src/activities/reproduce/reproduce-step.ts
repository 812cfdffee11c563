import { fail } from '../../model/failure.js';
import type { RunId, StepId } from '../../model/ids.js';
import { rowOf, type KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Command } from '../ports.js';
import { findStep } from '../step/inputs.js';
import type { StepLog, StepContext } from '../step/ports.js';
import type { Bodies, Body } from '../work.js';
import { carryOut, ownRecords } from './carry-out.js';
import { neverCameToIt, notReproducible } from './errors.js';
import type { ShellSession, Shells } from './ports.js';
import { openShell, type Between, type Way } from './open-shell.js';

type Argv = Command['argv'];

/** Command lines that build, as builders.ts and maven-arguments.ts write them. */
const BUILDERS = /^(uv build |cibuildwheel|mvn |\S+ -m (build|pip wheel) )/;

export interface Reproduce {
  readonly run: RunId;
  readonly plan: string;
  readonly step: StepId;
  readonly way: Way;
  /** True if the person gets the passwords that the step's programs get. */
  readonly withSecrets: boolean;
}

export interface Parts {
  readonly around: StepContext;
  readonly shells: Shells;
  readonly planOf: (digest: string) => Promise<Plan>;
  bodies(around: StepContext, between: Between): Bodies;
  tell(line: string): void;
}

/** Runs a step again with its inputs, tools, environment and folder. In place of the line that the release file gives the step, a
 * shell opens or another command runs (`way`). Writes no record. Returns the exit status of the shell or command. Throws
 * NOT_REPRODUCIBLE for a kind that changes more than its folder. */
export async function reproduceStep(request: Reproduce, parts: Parts): Promise<number> {
  const plan = await parts.planOf(request.plan);
  const step = findStep<KindName>(plan, request.plan, request.step);
  const row = rowOf(step.kind);
  if (row?.changes !== 'folder') throw fail(notReproducible(step.id, step.kind, row !== undefined));
  const log = parts.around.openLog(`reproduced/${step.id}`);
  const over = new AbortController();
  const line = ownLineOf(step);
  const between = openShell(parts.around.programs, {
    ...{ way: request.way, shells: parts.shells, isOwn: isOwnLine(line), hasOwn: line !== null },
    fit: (env) => (request.withSecrets ? env : withoutHidden(env, log, parts.tell)),
    before: async (session) => {
      await log.leave();
      tellSession(session, step.id, parts.tell);
    },
    after: () => over.abort(),
  });
  const around = { ...parts.around, programs: between.programs, store: ownRecords(parts.around.store) };
  const body = parts.bodies(around, between)[step.kind] as Body<KindName>;
  const made = carryOut(body, { run: request.run, plan, step }, { around, log, signal: over.signal });
  const failure = await made.then(
    () => null,
    (error: unknown) => error,
  );
  await log.leave();
  const status = between.status();
  if (status !== null) return status;
  if (failure !== null) throw failure;
  if (request.way.do !== 'exec') throw fail(neverCameToIt(step.id));
  return 0;
}

function ownLineOf({ params }: StepOf<KindName>): string | null {
  const { run } = params as { readonly run?: unknown };
  return typeof run === 'string' ? run : null;
}

/** Drops variables whose values the log would hide. */
function withoutHidden(env: ShellSession['env'], log: StepLog, tell: (line: string) => void): ShellSession['env'] {
  const held = Object.entries(env).filter(([, value]) => log.scrub(value) !== value);
  if (held.length > 0)
    tell(`left out, as they hold secrets (--with-secrets): ${held.map(([name]) => name).join(', ')}`);
  return Object.fromEntries(Object.entries(env).filter(([, value]) => log.scrub(value) === value));
}

function tellSession({ argv, cwd, container }: ShellSession, step: StepId, tell: (line: string) => void): void {
  tell(`${step} would now run${container === null ? '' : `, in ${container.image}`}, in ${cwd}:`);
  for (const line of shellLine(argv).trimEnd().split('\n')) tell(`  ${line}`);
}

/** Recognizes the program that a step is about: the line of its release file, else a build tool.
 * @param line null if the release file has none */
const isOwnLine =
  (line: string | null): ((argv: Argv) => boolean) =>
  (argv) =>
    line === null ? typeof argv !== 'string' && BUILDERS.test(argv.join(' ')) : shellLine(argv) === line;

const shellLine = (argv: Argv): string =>
  typeof argv === 'string' ? argv : argv[0] === 'sh' && argv[1] === '-eu' ? argv.slice(3).join(' ') : argv.join(' ');
