import {
  claimRecord,
  ledgerPrefix,
  ledgerRecord,
  targetPrefix,
  type LedgerEntry,
  type LedgerState,
} from '../../engine/ledger/entry.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import { sameNameTwice } from './errors.js';
import type { Found, Item } from './ports.js';

type Writer = Pick<Work<'publishArtifacts'>, 'plan' | 'run' | 'step' | 'store'>;

export const note = (work: Writer, state: LedgerState, { name, url, artifact }: Item): Promise<void> =>
  write(work, work.step.params.target.name, { state, name, digest: artifact.digest, url }, artifact.source);

/** Records what a target held under a name before this upload. Only for names with a ledger: other names were never
 * ours. */
export async function noteSeen(work: Writer, target: string, { name, url }: Item, digest: Digest): Promise<void> {
  const before = await work.store.list(ledgerPrefix(work.plan.profile.name, target, name));
  if (before.length > 0) await write(work, target, { state: 'observed', name, digest, url });
}

async function write(
  work: Writer,
  target: string,
  line: Pick<LedgerEntry, 'state' | 'name' | 'digest' | 'url'>,
  source?: LedgerEntry['source'],
): Promise<void> {
  const { plan, run, step } = work;
  const who = {
    ...{ run, step: step.id, release: plan.release, at: new Date().toISOString() },
    ...(source && { source }),
  };
  const record = ledgerRecord(ledgerPrefix(plan.profile.name, target, line.name), line.state, line.digest);
  await work.store.create<LedgerEntry>(record, { ...line, target, ...who });
}

/** Reserves names for bytes, once for each manifest. A registry does not stop two steps of one run from racing for a
 * tag. */
export async function claim(work: Writer, manifest: Digest, items: readonly Item[]): Promise<void> {
  const target = work.step.params.target.name;
  for (const { name, artifact } of items) {
    const own: Claim = { digest: artifact.digest, step: work.step.id };
    const { value } = await work.store.create(claimRecord(work.run, manifest, target, name), own);
    if (value.digest !== own.digest) throw fail(sameNameTwice(target, name, [value.step, own.step]));
  }
}
interface Claim {
  readonly digest: Digest;
  readonly step: string;
}

/** True if the store has a ledger of this target. Without a ledger the owner of a version is unknown. */
export const hasLedger = async (work: Pick<Work, 'plan' | 'store'>, target: string): Promise<boolean> =>
  (await work.store.list(targetPrefix(work.plan.profile.name, target))).length > 0;

/** True if a run has asked the target for exactly these bytes under this name. */
export async function isOurs(
  work: Pick<Work, 'plan' | 'store'>,
  target: string,
  { name, digest }: Found,
): Promise<boolean> {
  const prefix = ledgerPrefix(work.plan.profile.name, target, name);
  const known = async (seen: Digest): Promise<boolean> =>
    (await work.store.read(ledgerRecord(prefix, 'wanted', seen))) !== null;
  return digest === null ? (await work.store.list(prefix)).length > 0 : known(digest);
}
