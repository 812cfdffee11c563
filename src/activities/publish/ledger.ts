import { ledgerPrefix, ledgerRecord, type LedgerEntry, type LedgerState } from '../../engine/ledger/entry.js';
import type { Digest } from '../../model/digest.js';
import type { Work } from '../work.js';
import type { Found, Item } from './target.js';

type Writer = Pick<Work<'publishArtifacts'>, 'plan' | 'run' | 'step' | 'store'>;

/** Writes a ledger line, unless the same line stands there already. */
export async function note(work: Writer, state: LedgerState, { name, url, artifact }: Item): Promise<void> {
  const target = work.step.params.target.name;
  const { digest } = artifact;
  const entry: LedgerEntry = { state, target, name, digest, url, run: work.run, step: work.step.id };
  await work.store.create(ledgerRecord(ledgerPrefix(work.plan.profile.name, target, name), state, digest), entry);
}

/** Whether we have ever asked the target for exactly these bytes under this name. */
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
