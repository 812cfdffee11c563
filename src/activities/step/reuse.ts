import { keyParts } from '../../engine/cache/key-parts.js';
import { stepKey } from '../../engine/cache/step-key.js';
import type { Artifact } from '../../model/artifact.js';
import { digestOf, type Digest, type Hash, short } from '../../model/digest.js';
import { SlipwayFailure } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import { canonical } from '../../model/json.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import type { Made } from '../work.js';
import type { Inputs } from './inputs.js';

export const keyOf = (plan: Plan, step: StepOf<KindName>, { toolchain, ...given }: Inputs, hash: Hash): Digest =>
  stepKey(keyParts(plan, step, { ...given, toolchain: toolchain?.pin ?? null }), hash);

export const resultOf = (
  { id, kind }: Pick<StepOf<KindName>, 'id' | 'kind'>,
  key: Digest,
  { artifacts, facts = {}, findings = [], note }: Made,
  made: Result['made'],
): Result => ({ step: id, kind, key, artifacts, facts, findings, note, made });

/** A cached result, valid only while its own text and all its bytes are unaltered. */
export interface CacheHit {
  readonly known: Result | null;
  /** A cached result that is no longer valid. Null if there is none. */
  readonly lost: Lost | null;
}
export interface Lost {
  /** Null if the record itself was altered. */
  readonly result: Result | null;
  readonly artifacts: readonly Artifact[];
}
export const NOTHING: CacheHit = { known: null, lost: null };

/** A result with its own digest, which reveals later changes of its text. */
type Remembered = Result & { readonly sum?: Digest };

export async function recallResult(store: Store, kind: KindName, key: Digest, hash: Hash): Promise<CacheHit> {
  const name = KINDS[kind].cache === 'probe' ? (await store.list(`${records.known(key)}/`)).at(-1) : records.known(key);
  if (name === undefined) return NOTHING;
  const found = await readOwn(store, name);
  if (found === 'damaged') return { known: null, lost: { result: null, artifacts: [] } };
  if (found === null) return NOTHING;
  const result = await asRemembered(store, name, found, key, hash);
  if (result === null) return { known: null, lost: { result: null, artifacts: [] } };
  const artifacts = await unsound((digest) => store.sound(digest), result);
  return artifacts.length === 0 ? { known: result, lost: null } : { known: null, lost: { result, artifacts } };
}

/** Returns the valid cached result of a `pure` step, or null. It moves nothing to quarantine: the step itself does. */
export async function peekResult(store: Store, key: Digest, hash: Hash, sound: IsIntact): Promise<Result | null> {
  const found = await store.read<Remembered>(records.known(key));
  const result = found && asWritten(found, key, hash);
  return result && (await unsound(sound, result)).length === 0 ? result : null;
}

/** Codes of records that are no JSON, have no valid proof, or are no result. */
const INVALID = ['RECORD_DAMAGED', 'RECORD_TOO_LONG', 'RECORD_NOT_PROVED', 'RESULT_MALFORMED'];

/** Reads a record that a step can write again. Returns `damaged` for an invalid record, after moving it to
 * quarantine. */
export async function readOwn<T = Remembered>(store: Store, name: string): Promise<T | 'damaged' | null> {
  const found = await readValid<T>(store, name);
  if (found === 'damaged') await store.setAside(name);
  return found;
}

/** Reads a record. Returns `damaged` for an invalid one, which stays. */
export async function readValid<T>(store: Store, name: string): Promise<T | 'damaged' | null> {
  try {
    return await store.read<T>(name);
  } catch (error) {
    if (error instanceof SlipwayFailure && INVALID.includes(error.first.code)) return 'damaged';
    throw error;
  }
}

/** Returns a result whose text is unaltered. Otherwise moves the record to quarantine and returns null. */
async function asRemembered(
  store: Store,
  name: string,
  found: Remembered,
  key: Digest,
  hash: Hash,
): Promise<Result | null> {
  const result = asWritten(found, key, hash);
  if (result === null) await store.setAside(name, found);
  return result;
}

function asWritten({ sum, ...result }: Remembered, key: Digest, hash: Hash): Result | null {
  return result.key === key && (sum === undefined || sum === digestOf(result, hash)) ? result : null;
}

/** Returns true if an object exists with the bytes of its digest. */
export type IsIntact = (digest: Digest) => Promise<boolean>;

/** Checks each object once; the answer is valid for a few seconds of one lookup. */
export function soundness(store: Store): IsIntact {
  const looks = new Map<Digest, Promise<boolean>>();
  return (digest) => {
    const look = looks.get(digest) ?? store.sound(digest);
    looks.set(digest, look);
    return look;
  };
}

async function unsound(sound: IsIntact, { artifacts }: Result): Promise<readonly Artifact[]> {
  const sounds = await Promise.all(artifacts.map(({ kind, digest }) => kind === 'image' || sound(digest)));
  return artifacts.filter((_, index) => !sounds[index]);
}

/** Caches a result and returns the valid one. For `pure` kinds that is the first result of the step key while its bytes
 * exist.
 * @param fresh an operator distrusts the cached result: other bytes replace it */
export async function rememberResult(store: Store, result: Result, hash: Hash, fresh = false): Promise<Result> {
  const { cache } = KINDS[result.kind];
  const name = records.known(result.key);
  if (cache === 'probe') await rememberLatest(store, result, `${name}/`, hash);
  if (cache !== 'pure') return result;
  const mine: Remembered = { ...result, sum: digestOf(result, hash) };
  for (;;) {
    const { created, value } = await store.create(name, mine);
    if (created) return result;
    const first = await asRemembered(store, name, value, result.key, hash);
    if (first === null) continue;
    const stands = !fresh || hasSame(first, result);
    if (stands && (await unsound((digest) => store.sound(digest), first)).length === 0) return first;
    await store.setAside(name, value);
  }
}

/** True if later steps cannot distinguish two results. */
export const hasSame = (one: Result, other: Result): boolean =>
  canonical([one.artifacts, one.facts]) === canonical([other.artifacts, other.facts]);

/** A probe's answer changes over time: results are numbered, and one equal to the last is not written. */
async function rememberLatest(store: Store, result: Result, prefix: string, hash: Hash): Promise<void> {
  const names = await store.list(prefix);
  const last = names.length === 0 ? null : await readOwn(store, names.at(-1)!);
  if (last !== null && last !== 'damaged' && hasSame(last, result)) return;
  await store.create(`${prefix}${String(names.length + 1).padStart(6, '0')}`, {
    ...result,
    sum: digestOf(result, hash),
  });
}

/** Returns findings about a step that ran again because the store had lost its result. */
export function rebuilt(lost: Lost | null, made: Result): readonly Finding[] {
  if (lost === null) return [];
  const { result, artifacts } = lost;
  if (result === null) return [told(made.step, 'what the store remembered of it was altered', 'it was made anew')];
  return artifacts.map(({ name, digest }) => {
    const now = made.artifacts.find((artifact) => artifact.name === name)?.digest;
    const outcome = now === digest ? 'the same bytes came out' : `other bytes came out: ${now ? short(now) : 'none'}`;
    return told(name, `its bytes in the store, ${short(digest)}, were altered or gone`, `made anew, ${outcome}`);
  });
}

const told = (subject: string, what: string, outcome: string): Finding => ({
  level: 'warning',
  code: 'STORE_REBUILT',
  subject,
  why: `${what}; ${outcome}`,
  next: 'The altered content is kept in `quarantine/` of the store. Find out who writes there: only Slipway should.',
});
