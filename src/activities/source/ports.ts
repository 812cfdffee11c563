export interface Member {
  /** Name in the archive; not trusted. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hardlink' | 'other';
  /** Target of a link in the archive; not trusted. */
  readonly target: string | null;
  readonly size: number;
  /** Seconds since 1970. */
  readonly mtime: number;
}

export type PlaceMember = (member: Member) => string | null | { readonly refuse: string };

/** Tar (plain, gzip, bzip2, xz) and zip files. Unpacking never writes outside `into`. */
export interface Archives {
  /** Unpacks in one pass. `place` returns a member's relative path, or null to leave it out. A `refuse` reason throws
   * ARCHIVE_UNSAFE; it continues a sentence that starts with the member: "leads out of …". */
  unpack(path: string, into: string, place: PlaceMember): Promise<void>;
  /** Packs reproducibly: sorted members, uid and gid 0, mode 755 or 644, all times `epoch`. Gzip if `to` ends in `gz`.
   */
  pack(folder: string, to: string, options: { readonly epoch: number; readonly top?: string }): Promise<void>;
  /** Rewrites a zip file in place: sorted members with META-INF first, all times `epoch`, no extra fields. Compressed
   * bytes stay. */
  normaliseZip(path: string, epoch: number): Promise<void>;
}
