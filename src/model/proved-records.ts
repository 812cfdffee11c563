import { prefixOf } from './id-prefixes.js';
import type { Role } from './proof.js';

/** The role that signs a record of the store, and the purpose. */
export interface ProvedRecord {
  readonly role: Role;
  readonly purpose: string;
  /** Step of a result record. Null for a result under its key alone. Absent for other records. */
  readonly step?: string | null;
}

/** Families of records by signer: the first part of a name, below `runs/` also the third. `step`: the row of the step's id
 * says it (`id-prefixes.ts`). `itself`: its writer signs it. A record of no family is refused when it is written. */
const FAMILIES = {
  control:
    'approvals spent standings test-actions bisects reported prunes folder-prunes index-use wanted indexed indexed-gone ' +
    'runs/audit runs/rounds runs/claims runs/looked runs/proved',
  worker: 'known outcomes',
  step: 'runs/results runs/memory',
  itself: 'plans workers',
  nobody:
    'started done failed bases confirmed pure sources durations signatures ledger ' +
    'runs/status runs/findings-after runs/checkpoints runs/file runs/no-cache runs/report runs/logs runs/standings',
} as const satisfies Record<Role | 'step' | 'itself' | 'nobody', string>;

type Signer = keyof typeof FAMILIES;
const SIGNERS = new Map(
  (Object.keys(FAMILIES) as Signer[]).flatMap((signer) => FAMILIES[signer].split(' ').map((name) => [name, signer])),
);

/** Returns who signs records of this name. Undefined if it belongs to no family. */
export function signerOf(name: string): Signer | undefined {
  const [first = '', , third = ''] = name.split('/', 3);
  return SIGNERS.get(first === 'runs' ? `runs/${third.replace(/^results@\d+$/, 'results')}` : first);
}

/** Returns how a record is signed. Null for an unsigned record, such as a log. */
export function provedRecord(name: string): ProvedRecord | null {
  const signer = signerOf(name);
  // A cached result is the same file as the run's own record, so its purpose names no run.
  if (name.startsWith('known/')) return { role: 'worker', purpose: 'result', step: null };
  if (signer === 'control' || signer === 'worker') return { role: signer, purpose: name };
  if (signer !== 'step') return null;
  const [, , family, ...parts] = name.split('/');
  const step = parts.join('/');
  const role = prefixOf(step)?.signedBy ?? 'worker';
  if (family === 'memory') return { role, purpose: name };
  return role === 'control' ? { role, purpose: name, step } : { role, purpose: 'result', step };
}
