/** A commit and its ancestors. */
export interface KnownCommit {
  readonly commit: string;
  /** Its time, seconds since 1970. */
  readonly epoch: number;
  /** Ancestors by first parents, as deep as the clone. A missing commit may still be an ancestor. */
  readonly ancestors: readonly string[];
}

/** Whether `one` comes after `other` on their branch. What descends from another comes after it, whatever the clocks of
 * their authors said; where that is not known their times decide, and of one second the hash, so that all agree. */
export function isLater(one: KnownCommit, other: KnownCommit): boolean {
  if (one.commit === other.commit || other.ancestors.includes(one.commit)) return false;
  if (one.ancestors.includes(other.commit)) return true;
  return one.epoch === other.epoch ? one.commit > other.commit : one.epoch > other.epoch;
}
