import type { Store } from '../../activities/ports.js';
import { fail, SlipwayFailure, type Problem } from '../../model/failure.js';
import { isProved, provedText, withProof, type Proofs, type Proved } from '../../model/proof.js';
import { provedRecord, signerOf, type ProvedRecord } from '../../model/proved-records.js';
import { resultFault } from '../../model/result-fault.js';
import { recordNotProved, recordOfNoFamily, resultMalformed } from './errors.js';

/** Limits the cache to some megabytes. */
const MOST_CHECKED = 4096;
/** Unproved records to set aside before a write fails. */
const MOST_IN_THE_WAY = 5;

/** Wraps a store so that its records carry proofs by the home's keys. Reading an unproved record throws
 * RECORD_NOT_PROVED. A write moves such a record to quarantine. */
export function provedStore(store: Store, proofs: Proofs): Store {
  /** The stored record of each value that was read. */
  const raw = new WeakMap<object, object>();
  /** Verified texts by signature: a run reads each result several times. */
  const checked = new Map<string, string>();
  /** Refused records by name, for `setAside`. */
  const refused = new Map<string, object>();

  const read = <T>(name: string, rule: ProvedRecord, found: object): T => {
    const { proof, ...value } = found as Proved<object>;
    const text = provedText(rule.purpose, value);
    const isKnown = typeof proof?.sig === 'string' && proof.by === rule.role && checked.get(proof.sig) === text;
    const fault = isKnown ? elsewhere(name, rule, value) : faultOf(name, rule, found, proofs);
    if (fault !== null) refused.set(name, found);
    if (fault !== null) throw fail(fault);
    if (checked.size >= MOST_CHECKED) checked.clear();
    checked.set(proof!.sig, text);
    raw.set(value, found);
    return value as T;
  };
  const setAside = (name: string, seen?: object): Promise<void> => {
    const it = seen === undefined ? refused.get(name) : (raw.get(seen) ?? seen);
    refused.delete(name);
    return store.setAside(name, it);
  };
  const { again } = store;
  return {
    ...store,
    setAside,
    read: async <T>(name: string) => {
      const rule = provedRecord(name);
      const found = await store.read<object>(name);
      return rule === null || found === null ? (found as T | null) : read<T>(name, rule, found);
    },
    create: async (name, value) => {
      if (signerOf(name) === undefined) throw fail(recordOfNoFamily(name));
      const rule = provedRecord(name);
      if (rule === null) return store.create(name, value);
      const fault = rule.step === undefined ? null : resultFault(value);
      if (fault !== null) throw fail(resultMalformed(name, fault, workerIn(value as object), 'product'));
      const signed = withProof(proofs, rule.role, rule.purpose, value as object);
      for (let tries = 1; ; tries++) {
        const there = await store.create<object>(name, signed);
        if (there.created) return { created: true, value };
        try {
          return { created: false, value: read(name, rule, there.value) };
        } catch (error) {
          if (!(error instanceof SlipwayFailure) || tries === MOST_IN_THE_WAY) throw error;
          await setAside(name, there.value);
        }
      }
    },
    ...(again && {
      again: async <T>(names: readonly { readonly of: string; readonly as: string }[]) => {
        const there = await again<object>(names);
        return names.map(({ as }, at) => believed<T>(as, there[at] ?? null, read));
      },
    }),
  };
}

/** Returns null for a record that is refused; the caller writes it again. */
function believed<T>(
  name: string,
  found: object | null,
  read: (name: string, rule: ProvedRecord, found: object) => T,
): T | null {
  const rule = provedRecord(name);
  if (rule === null || found === null) return found as T | null;
  try {
    return read(name, rule, found);
  } catch (error) {
    if (error instanceof SlipwayFailure) return null;
    throw error;
  }
}

function faultOf(name: string, rule: ProvedRecord, found: object, proofs: Proofs): Problem | null {
  const worker = workerIn(found);
  if (!isProved(proofs, rule.role, rule.purpose, found))
    return recordNotProved(name, rule.role, rule.step ?? null, worker);
  const fault = rule.step === undefined ? null : resultFault(found);
  return fault === null ? elsewhere(name, rule, found) : resultMalformed(name, fault, worker);
}

/** Refuses a genuine result under another step's name. */
const elsewhere = (name: string, { step }: ProvedRecord, found: object): Problem | null =>
  typeof step === 'string' && !isOf(found, step)
    ? resultMalformed(name, `.step is not ${step}`, workerIn(found))
    : null;

const isOf = (found: object, step: string): boolean => (found as { readonly step?: unknown }).step === step;

function workerIn(found: object): string | null {
  const { made } = found as { readonly made?: { readonly worker?: unknown } };
  return typeof made?.worker === 'string' ? made.worker.slice(0, 200) : null;
}
