/** A member of an archive, before anything of it is written. */
export interface Member {
  /** As the archive says: not to be trusted. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hardlink' | 'other';
  /** Where a link points, as the archive says. */
  readonly target: string | null;
  readonly size: number;
  /** Seconds since 1970. */
  readonly mtime: number;
}

export type PlaceMember = (member: Member) => string | null | { readonly refuse: string };

/** Tar (plain, gzip, bzip2, xz) and zip files. Nothing is written outside `into`, whatever an archive says. */
export interface Archives {
  /** Unpacks in one pass. `place` answers the relative path for a member, null to leave it out, or why the
   * archive is refused (ARCHIVE_UNSAFE), as the end of a sentence that starts with the member: "leads out of …". */
  unpack(path: string, into: string, place: PlaceMember): Promise<void>;
  /** The same tree gives the same bytes: sorted members, uid and gid 0, mode 755 or 644, all times `epoch`. Gzipped where `to` ends in `gz`. */
  pack(folder: string, to: string, options: { readonly epoch: number; readonly top?: string }): Promise<void>;
  /** Rewrites a zip file in place: members sorted (META-INF first), all times `epoch`, extra fields gone, compressed bytes untouched. */
  normaliseZip(path: string, epoch: number): Promise<void>;
}
