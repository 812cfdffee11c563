export interface KnownCommit {
  readonly commit: string;
  /** Commit time, seconds since 1970. */
  readonly epoch: number;
  /** First-parent ancestors, as deep as the clone. A missing commit may still be an ancestor. */
  readonly ancestors: readonly string[];
}

/** Whether `one` comes after `other` on their branch. A descendant comes later, whatever the clocks of its authors.
 * Without known ancestry the commit times decide, and then the hashes. */
export function isLater(one: KnownCommit, other: KnownCommit): boolean {
  if (one.commit === other.commit || other.ancestors.includes(one.commit)) return false;
  if (one.ancestors.includes(other.commit)) return true;
  return one.epoch === other.epoch ? one.commit > other.commit : one.epoch > other.epoch;
}
