import type { Role } from './proof.js';

/** The role that signs a record of the store, and the purpose. */
export interface ProvedRecord {
  readonly role: Role;
  readonly purpose: string;
  /** Step of a result record. Null for a result under its key alone. Absent for other records. */
  readonly step?: string | null;
}

/** Results and memories of these steps decide about publishing. The proof binds them to their run and step. */
const DECIDES = /^(seal|gates|attest|publish|point)\//;
const RESULT = /^runs\/[^/]+\/results(?:@\d+)?\/(.+)$/;
const OF_CONTROL =
  /^(?:approvals|spent|standings|test-actions|bisects|reported|prunes|folder-prunes|index-use|wanted|indexed|indexed-gone|runs\/[^/]+\/(?:audit|rounds|claims|looked|proved))\//;
const OF_STEPS = /^runs\/[^/]+\/memory\/(.+)$/;

/** Returns how a record is signed. Null for an unsigned record, such as a log. */
export function provedRecord(name: string): ProvedRecord | null {
  const [, step] = RESULT.exec(name) ?? [];
  if (step !== undefined)
    return DECIDES.test(step) ? { role: 'control', purpose: name, step } : { role: 'worker', purpose: 'result', step };
  // A cached result is the same file as the run's own record, so its purpose names no run.
  if (name.startsWith('known/')) return { role: 'worker', purpose: 'result', step: null };
  if (OF_CONTROL.test(name)) return { role: 'control', purpose: name };
  if (name.startsWith('outcomes/')) return { role: 'worker', purpose: name };
  const [, memory] = OF_STEPS.exec(name) ?? [];
  return memory === undefined ? null : { role: DECIDES.test(memory) ? 'control' : 'worker', purpose: name };
}
