import type { Digest } from './digest.js';

/** A file of a wheelhouse: a folder with wheels that no index of ours holds. */
export interface HouseWheel {
  /** Folder below the wheelhouse; `.` for the wheelhouse itself. */
  readonly folder: string;
  readonly file: string;
  readonly digest: Digest;
  readonly size: number;
  /** Time of the last change, ISO 8601. */
  readonly changedAt: string;
  /** Why no installer can read it. Null: it is a whole zip archive. */
  readonly fault: string | null;
}

/** A file that is never judged, and why. */
export interface LeftAlone {
  readonly folder: string;
  readonly file: string;
  readonly because: string;
}

export interface Wheelhouse {
  /** Absolute, without links. */
  readonly path: string;
  readonly wheels: readonly HouseWheel[];
  readonly left: readonly LeftAlone[];
}

/** A wheel that leaves a wheelhouse. */
export type HouseFile = Pick<HouseWheel, 'folder' | 'file' | 'digest'>;

/** The audit of a pruned wheelhouse, signed by the home's control key. It is stored before the first file is removed. */
export interface FolderPruneOrder {
  readonly slipway: 1;
  readonly kind: 'folder prune order';
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly because: string | null;
  readonly review: Digest;
  readonly path: string;
  readonly remove: readonly HouseFile[];
  /** Candidates of the review that stay, with the reason. */
  readonly stay: readonly { readonly file: string; readonly because: string }[];
}

/** Name of a wheelhouse in a review, in the place of a target's. */
export const houseTarget = (path: string): string => `folder ${path}`;
