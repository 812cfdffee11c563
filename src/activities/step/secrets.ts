import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { secretName, secretReference, secretsOf, type SecretReference } from '../../model/secret.js';
import { secretCommandFailed, secretFileUnreadable, secretMissing } from './errors.js';
import type { StepLog, StepContext } from './ports.js';

const COMMAND_LIMIT_MS = 60_000;
const SHORTEST_TOKEN = 20;
/** More is no secret. */
const LONGEST_SECRET_BYTES = 1024 * 1024;

/** Secrets that commands printed on this worker. Each attempt asks again, and every log hides all of them. */
const said = new WeakMap<StepContext, Map<string, Set<string>>>();

/** The value behind a reference, looked up now, hidden in this log from now on; a text that is no reference is itself.
 * @param as a user's name stands in addresses and coordinates too: it is hidden only where it is as long as a token */
export async function reveal(
  around: StepContext,
  log: StepLog,
  signal: AbortSignal,
  reference: string,
  as: 'secret' | 'name',
): Promise<string> {
  const found = secretReference(reference);
  if (found === null) return reference;
  const value = await look(around, signal, reference, found);
  if (as === 'name' && value.length < SHORTEST_TOKEN) return value;
  if (found.by === 'command') remember(around, reference, value);
  log.hide(secretName(reference), value);
  return value;
}

/** Hides all that the plan's steps use, as far as this worker knows it without running anything. */
export async function hideSecrets(around: StepContext, plan: Plan, log: StepLog): Promise<void> {
  for (const reference of usedBy(plan)) {
    const found = secretReference(reference);
    if (found === null) continue;
    const values =
      found.by === 'command'
        ? [...(said.get(around)?.get(reference) ?? [])]
        : [found.by === 'environment' ? around.env[found.name] : await contentOf(around, found.path).catch(() => '')];
    for (const value of values) if (value) log.hide(secretName(reference), value);
  }
}

/** A plan is parsed once for all of its steps, and of ten thousand steps each would look through all. */
const used = new WeakMap<Plan, readonly string[]>();

function usedBy(plan: Plan): readonly string[] {
  const known = used.get(plan) ?? secretsOf(plan);
  used.set(plan, known);
  return known;
}

function remember(around: StepContext, reference: string, value: string): void {
  const known = said.get(around) ?? new Map<string, Set<string>>();
  said.set(around, known.set(reference, (known.get(reference) ?? new Set()).add(value)));
}

async function look(
  around: StepContext,
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

/** Without the newline that an editor puts at the end. */
async function contentOf({ env }: StepContext, path: string): Promise<string> {
  const at = path.startsWith('~/') ? join(env['HOME'] ?? '/', path.slice(2)) : path;
  return (await readFile(at, 'utf8')).replace(/\r?\n$/, '');
}

/** In the worker's own environment, because that is who the vault knows. What it prints reaches no log, not even when it fails. */
async function ask(around: StepContext, signal: AbortSignal, reference: string, line: string): Promise<string> {
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
