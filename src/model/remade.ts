import type { Digest } from './digest.js';
import type { IndexEntry } from './python/index-entry.js';
import type { Indexed } from './run-folder.js';

/** A listed wheel whose bytes the store lost. */
export type LostWheel = Pick<Indexed, 'plan' | 'run' | 'step'> & { readonly entry: IndexEntry };

/** How a lost wheel was built again. */
export interface Remade {
  readonly file: string;
  /** Digest of the new build. Null: it was not built. */
  readonly digest: Digest | null;
  /** Why the store still lacks the wheel of the entry. Null: it has that wheel, its METADATA and its statement. */
  readonly why: string | null;
}
