import type { Digest } from '../../model/digest.js';

/** The answer of a target about one published name. `unknown`: an inconclusive answer. */
export type TargetAnswer =
  | { readonly state: 'absent' }
  | { readonly state: 'present'; readonly digest: Digest }
  | { readonly state: 'unknown'; readonly because: string };

export type LedgerVerdict = 'absent' | 'same' | 'other' | 'unknown';

/** Judges an answer against the wanted bytes. The registry decides, not our record of an upload. */
export function judge(wanted: Digest, seen: TargetAnswer): LedgerVerdict {
  switch (seen.state) {
    case 'absent':
    case 'unknown':
      return seen.state;
    case 'present':
      return seen.digest === wanted ? 'same' : 'other';
    default:
      return seen satisfies never;
  }
}
