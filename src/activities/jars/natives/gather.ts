import { setTimeout as pause } from 'node:timers/promises';
import type { Artifact } from '../../../model/artifact.js';
import type { Digest } from '../../../model/digest.js';
import { fail } from '../../../model/failure.js';
import type { NativeRef } from '../../../model/params.js';
import type { Layout } from '../../ports.js';
import type { Work } from '../../work.js';
import { nativeMissing, otherNative } from './errors.js';

interface Jars extends Pick<Work<'buildJar'>, 'step' | 'inputs' | 'log' | 'signal'> {
  readonly layout: Pick<Layout, 'place' | 'find'>;
}

export interface Native {
  readonly ref: NativeRef;
  readonly digest: Digest;
}

export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}
const CLOCK: Clock = { now: () => performance.now(), wait: (ms, signal) => pause(ms, undefined, { signal }) };

const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;

/** Returns the JARs of all platforms. A JAR of this run is taken from its result, any other from the store's layout.
 * Polls until `waitMs` are over, with a log line each time. Throws NATIVE_MISSING for every platform that is absent. */
export async function gatherNatives(
  work: Jars,
  refs: readonly NativeRef[],
  waitMs: number,
  clock: Clock = CLOCK,
): Promise<readonly Native[]> {
  const startedAt = clock.now();
  const found = new Map<NativeRef, Digest>();
  for (const ref of refs.filter(({ step }) => step !== null)) found.set(ref, await ownOf(work, ref));
  for (let waitNextMs = FIRST_MS; ; waitNextMs = Math.min(waitNextMs * 2, LONGEST_MS)) {
    const missing = await look(work, refs, found);
    if (missing.length === 0) return refs.map((ref) => ({ ref, digest: found.get(ref)! }));
    const leftMs = startedAt + waitMs - clock.now();
    if (leftMs <= 0) throw fail(nativeMissing(work.step.id, missing, waitMs));
    const ms = Math.min(waitNextMs, leftMs);
    for (const ref of missing) work.log.write(notYet(ref, ms, leftMs));
    await clock.wait(ms, work.signal);
  }
}

const seconds = (ms: number): string => `${Math.ceil(ms / 100) / 10} s`;

const notYet = ({ for: { name }, path }: NativeRef, ms: number, leftMs: number): string =>
  `libraries of ${name}: not yet at ${path}; next look in ${seconds(ms)}, for at most ${seconds(leftMs)} more\n`;

async function look(
  { layout, log }: Jars,
  refs: readonly NativeRef[],
  found: Map<NativeRef, Digest>,
): Promise<readonly NativeRef[]> {
  for (const ref of refs.filter((one) => !found.has(one))) {
    const there = await layout.find(ref.path);
    if (there === null) continue;
    found.set(ref, there.digest);
    log.write(`libraries of ${ref.for.name}: found at ${ref.path} (${there.digest})\n`);
  }
  return refs.filter((ref) => !found.has(ref));
}

/** Returns the digest of a native that this run built. Adds its name to the layout if missing, since the store may be
 * new. */
async function ownOf({ step, inputs, layout, log }: Jars, ref: NativeRef): Promise<Digest> {
  const { digest } = artifactOf(inputs, ref, step.id);
  const there = await layout.place(ref.path, digest);
  log.write(
    there.digest === digest
      ? `libraries of ${ref.for.name}: built by ${ref.step}, at ${ref.path} (${digest})\n`
      : otherNative(ref.path, there.digest, digest),
  );
  return digest;
}

function artifactOf(inputs: Jars['inputs'], ref: NativeRef, step: string): Artifact {
  const made = inputs.find((result) => result.step === ref.step)?.artifacts.find(({ kind }) => kind === 'jar');
  if (made === undefined) throw fail(nativeMissing(step, [ref], 0));
  return made;
}
