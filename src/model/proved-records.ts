import { FEATURE_KINDS } from '../features/kinds.js';
import type { RecordFamily } from './feature-kinds.js';
import { prefixOf } from './id-prefixes.js';
import type { Role } from './proof.js';
import { fieldOf, together } from './together.js';

/** The role that signs a record of the store, and the purpose. */
export interface ProvedRecord {
  readonly role: Role;
  readonly purpose: string;
  /** Step of a result record. Null for a result under its key alone. Absent for other records. */
  readonly step?: string | null;
}

/** `step`: the row of the step's id says it (`id-prefixes.ts`). `itself`: its writer signs it. */
type Signer = RecordFamily['signer'] | 'step' | 'itself';
type Families = Readonly<Record<string, { readonly signer: Signer }>>;

const by = (signer: Signer, names: string): Families =>
  Object.fromEntries(names.split(' ').map((name) => [name, { signer }]));
const core = {
  ...by(
    'control',
    'approvals spent standings test-actions bisects reported prunes folder-prunes index-use wanted publishers',
  ),
  ...by('control', 'indexed indexed-gone runs/audit runs/rounds runs/claims runs/looked runs/proved'),
  ...by('worker', 'known outcomes'),
  ...by('step', 'runs/results runs/memory'),
  ...by('itself', 'plans workers'),
  ...by('nobody', 'started done failed bases confirmed pure sources durations signatures ledger runs/status'),
  ...by('nobody', 'runs/findings-after runs/checkpoints runs/file runs/no-cache runs/report runs/logs runs/standings'),
};

/** Families of records: the first part of a name, below `runs/` also the third. A record of no family is refused when it is
 * written. */
export const FAMILIES: Families = together('family of records', { core, ...fieldOf(FEATURE_KINDS, 'records') });

/** Returns who signs records of this name. Undefined if it belongs to no family. */
export function signerOf(name: string): Signer | undefined {
  const [first = '', , third = ''] = name.split('/', 3);
  const family = first === 'runs' ? `runs/${third.replace(/^results@\d+$/, 'results')}` : first;
  return Object.hasOwn(FAMILIES, family) ? FAMILIES[family]!.signer : undefined;
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
