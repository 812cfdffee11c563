import { hexOf, type Digest } from '../../model/digest.js';
import type { RunId, StepId } from '../../model/ids.js';
import type { SourceRef } from '../../model/params.js';
import { records } from '../../model/run-folder.js';

/** `wanted`: the upload is about to start. `observed`: the target had these bytes before our upload. `done`: these
 * bytes were read back from the target. */
export type LedgerState = 'wanted' | 'observed' | 'done';

/** One line of the ledger. Written create-once: the first run that wanted or saw these bytes stays named. */
export interface LedgerEntry {
  readonly state: LedgerState;
  readonly target: string;
  readonly name: string;
  readonly digest: Digest;
  readonly url: string;
  readonly run: RunId;
  readonly step: StepId;
  readonly release: { readonly name: string; readonly version: string };
  /** The named source that the bytes are made from. Absent: the source of the release. */
  readonly source?: SourceRef;
  /** ISO 8601. */
  readonly at: string;
}

/** Prefix of the ledger's records for all profiles. */
export const LEDGER = 'ledger/';

export const profileOf = (record: string): string => record.slice(LEDGER.length).split('/')[0] ?? '';

/** Prefix of the records of one published name. Each profile has its own, because a target's name is another registry
 * there. */
export const ledgerPrefix = (profile: string, target: string, name: string): string =>
  `${records.ledger(`${profile}/${target}`, name)}/`;

export const targetPrefix = (profile: string, target: string): string => `${records.ledger(profile, target)}/`;

/** Create-once record that binds a name to bytes in this run, so that two steps cannot publish different bytes under
 * it. Another round may seal other bytes, and claims again. */
export const claimRecord = (run: RunId, manifest: Digest, target: string, name: string): string =>
  `runs/${run}/claims/${hexOf(manifest)}/${target}/${name}`;

/** Written after a run has looked up all its sealed names at every target and found no conflict. */
export const lookedRecord = (run: RunId, manifest: Digest): string => `runs/${run}/looked/${hexOf(manifest)}`;

/** Written after a target has proved that we may publish there.
 * @param slot number of the period for which the proof is valid */
export const provedRecord = (run: RunId, target: string, slot: number): string =>
  `runs/${run}/proved/${target}/${slot}`;

export const ledgerRecord = (prefix: string, state: LedgerState, digest: Digest): string =>
  `${prefix}${state}-${digest.slice('sha256:'.length)}`;
