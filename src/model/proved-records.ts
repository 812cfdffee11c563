import type { Role } from './proof.js';

/** Which key signs a record of the store, and for what purpose. */
export interface ProvedRecord {
  readonly role: Role;
  readonly purpose: string;
  /** Step whose result the record is; null for a result under its key alone; absent for other records. */
  readonly step?: string | null;
}

/** Results of these steps, and what they remember, decide about publishing: a record of another run or step must not pass for one. */
const DECIDES = /^(seal|gates|attest|publish|point)\//;
const RESULT = /^runs\/[^/]+\/results(?:@\d+)?\/(.+)$/;
const OF_CONTROL = /^(?:approvals|spent|runs\/[^/]+\/(?:audit|rounds|claims|looked|proved))\//;
const OF_STEPS = /^runs\/[^/]+\/memory\/(.+)$/;

/** Returns how a record is proved. Null for a record without a proof, such as a log. */
export function provedRecord(name: string): ProvedRecord | null {
  const [, step] = RESULT.exec(name) ?? [];
  if (step !== undefined)
    return DECIDES.test(step) ? { role: 'control', purpose: name, step } : { role: 'worker', purpose: 'result', step };
  // The run's own record of a known result is the same file under a second name.
  if (name.startsWith('known/')) return { role: 'worker', purpose: 'result', step: null };
  if (OF_CONTROL.test(name)) return { role: 'control', purpose: name };
  const [, memory] = OF_STEPS.exec(name) ?? [];
  return memory === undefined ? null : { role: DECIDES.test(memory) ? 'control' : 'worker', purpose: name };
}
