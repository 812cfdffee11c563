import { hexOf, type Digest } from '../../model/digest.js';
import type { RunId, StepId } from '../../model/ids.js';
import { records } from '../../model/run-folder.js';

/** `wanted`: about to ask for it. `observed`: the target had these bytes before we uploaded any. `done`: read back from the
 * target with these bytes. */
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
  /** The release of the file. Absent in lines of an older Slipway. */
  readonly release?: { readonly name: string; readonly version: string };
  /** ISO 8601; absent in lines of an older Slipway. */
  readonly at?: string;
}

/** Prefix of all that was ever asked for, of every profile. */
export const LEDGER = 'ledger/';

/** Profile that a line was written for, from the name of its record. */
export const profileOf = (record: string): string => record.slice(LEDGER.length).split('/')[0] ?? '';

/** Prefix of the records of one published name. Profiles keep apart: a target's name stands for another registry there. */
export const ledgerPrefix = (profile: string, target: string, name: string): string =>
  `${records.ledger(`${profile}/${target}`, name)}/`;

/** Prefix of everything that we have ever asked one target for. */
export const targetPrefix = (profile: string, target: string): string => `${records.ledger(profile, target)}/`;

/** Which bytes a name is for in this run: two steps that want one name with different bytes find each other here. Another round
 * of the run may seal other bytes, and claims anew. */
export const claimRecord = (run: RunId, manifest: Digest, target: string, name: string): string =>
  `runs/${run}/claims/${hexOf(manifest)}/${target}/${name}`;

/** Written once a run has asked every target for all that it will publish of what is sealed, and found no conflict. */
export const lookedRecord = (run: RunId, manifest: Digest): string => `runs/${run}/looked/${hexOf(manifest)}`;

/** Written when a target has proved that we may publish there. @param slot number of the span of time for which that holds */
export const provedRecord = (run: RunId, target: string, slot: number): string =>
  `runs/${run}/proved/${target}/${slot}`;

export const ledgerRecord = (prefix: string, state: LedgerState, digest: Digest): string =>
  `${prefix}${state}-${digest.slice('sha256:'.length)}`;
