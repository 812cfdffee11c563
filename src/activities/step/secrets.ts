import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { SECRET_OF } from '../../model/service-login.js';
import { CONTROL, type Queue } from '../../model/ids.js';
import { listedNames, secretName, secretReference, secretsOf, type SecretReference } from '../../model/secret.js';
import { isNamed } from '../../plan/policy/secrets.js';
import { secretUnnamed } from '../../plan/policy/errors.js';
import { secretCommandFailed, secretFileUnreadable, secretMissing, secretNotListed } from './errors.js';
import type { StepLog, StepContext } from './ports.js';

const COMMAND_LIMIT_MS = 60_000;
const SHORTEST_TOKEN = 20;
/** Longest output that can be a secret. */
const LONGEST_SECRET_BYTES = 1024 * 1024;

/** The environment, home, policy and programs in which a worker looks secrets up. */
type Revealing = Pick<StepContext, 'env' | 'home' | 'policy' | 'programs'>;

/** Values of secret commands, by reference. Each attempt runs the command again; every log hides all values. */
const said = new WeakMap<Revealing, Map<string, Set<string>>>();

/** The step or listener that asks for the value of a reference. */
export interface Asker {
  readonly log: Pick<StepLog, 'hide'>;
  readonly signal: AbortSignal;
  /** Queue of the step. A listener and the writer of an index belong to `control`. */
  readonly on: Queue;
}

/** The one place where a reference of a plan becomes a value, which this log then hides. Any other text is returned
 * unchanged. A build queue gets variables that SLIPWAY_BUILD_ENV lists, control also files and commands that the policy
 * names. Throws SECRET_NOT_LISTED, SECRET_UNNAMED, SECRET_MISSING.
 * @param as a `name`, such as a user name, is hidden only if it is as long as a token: addresses and coordinates
 * contain it */
export async function reveal(
  around: Revealing,
  { log, signal, on }: Asker,
  reference: string,
  as: 'secret' | 'name',
): Promise<string> {
  const found = secretReference(reference);
  if (found === null) return reference;
  const name = found.by === 'environment' ? found.name : null;
  if (on !== CONTROL && (name === null || !listedNames(around.env).has(name)))
    throw fail(secretNotListed(reference, on, name));
  if (name === null && !(await isNamedHere(around, reference)))
    throw fail(secretUnnamed(reference, around.policy?.path ?? 'policy.yaml'));
  const value = await look(around, signal, reference, found);
  if (as === 'name' && value.length < SHORTEST_TOKEN) return value;
  if (found.by === 'command') remember(around, reference, value);
  log.hide(secretName(reference), value);
  return value;
}

/** The author of a profile may be another than the user of the worker, whose files and programs a reference means. */
const isNamedHere = async ({ policy }: Revealing, reference: string): Promise<boolean> =>
  isNamed((await policy?.read()) ?? null, reference);

const contentIfNamed = (around: Revealing, reference: string, path: string): Promise<string> =>
  isNamedHere(around, reference)
    .then((named) => (named ? contentOf(around, path) : ''))
    .catch(() => '');

/** Hides all secrets of the plan that this worker knows without running a command, and those of the home's services. */
export async function hideSecrets(around: StepContext, plan: Plan, log: StepLog): Promise<void> {
  for (const service of Object.keys(SECRET_OF)) {
    const login = around.login?.(service);
    if (login) log.hide(`service:${service}`, login.password);
  }
  for (const reference of usedBy(plan)) {
    const found = secretReference(reference);
    if (found === null) continue;
    const values =
      found.by === 'command'
        ? [...(said.get(around)?.get(reference) ?? [])]
        : [found.by === 'environment' ? around.env[found.name] : await contentIfNamed(around, reference, found.path)];
    for (const value of values) if (value) log.hide(secretName(reference), value);
  }
}

/** Cached per parsed plan: each of ten thousand steps would search all steps. */
const used = new WeakMap<Plan, readonly string[]>();

function usedBy(plan: Plan): readonly string[] {
  const known = used.get(plan) ?? secretsOf(plan);
  used.set(plan, known);
  return known;
}

function remember(around: Revealing, reference: string, value: string): void {
  const known = said.get(around) ?? new Map<string, Set<string>>();
  said.set(around, known.set(reference, (known.get(reference) ?? new Set()).add(value)));
}

async function look(
  around: Revealing,
  signal: AbortSignal,
  reference: string,
  found: SecretReference,
): Promise<string> {
  if (found.by === 'command') return await ask(around, signal, reference, found.line);
  if (found.by === 'environment') {
    const value = around.env[found.name];
    if (!value) throw fail(secretMissing(reference));
    return value;
  }
  const value = await contentOf(around, found.path).catch((error: NodeJS.ErrnoException) => {
    throw fail(secretFileUnreadable(reference, error.code ?? 'it cannot be read'));
  });
  if (value === '') throw fail(secretFileUnreadable(reference, 'it is empty'));
  return value;
}

/** Reads a file without its final newline. */
async function contentOf({ env }: Revealing, path: string): Promise<string> {
  const at = path.startsWith('~/') ? join(env['HOME'] ?? '/', path.slice(2)) : path;
  return (await readFile(at, 'utf8')).replace(/\r?\n$/, '');
}

/** Runs a secret command in the worker's own environment, since the vault authenticates the worker. Its output never
 * reaches a log, even on failure. */
async function ask(around: Revealing, signal: AbortSignal, reference: string, line: string): Promise<string> {
  const env = Object.fromEntries(Object.entries(around.env).flatMap(([key, value]) => (value ? [[key, value]] : [])));
  let text = '';
  const { code, timedOut } = await around.programs.run({
    argv: line,
    cwd: around.home,
    env,
    limitMs: COMMAND_LIMIT_MS,
    signal,
    onOutput: (piece, stream) => {
      if (stream === 'stdout' && text.length <= LONGEST_SECRET_BYTES) text += piece;
    },
  });
  if (timedOut) throw fail(secretCommandFailed(secretName(reference), 'it did not end'));
  if (code !== 0) throw fail(secretCommandFailed(secretName(reference), `it ended with status ${code}`));
  const value = text.replace(/\r?\n$/, '');
  if (value === '') throw fail(secretCommandFailed(secretName(reference), 'it printed nothing'));
  return value;
}
