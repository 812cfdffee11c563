/** A distribution, in the words of os-release: debian, 12, bookworm. */
export interface Distribution {
  readonly id: string;
  readonly version: string;
  readonly codename: string;
}

/** The Python of a distribution. */
export interface OwnPython {
  /** `cp311` */
  readonly tag: string;
  /** The whole version, which a release never changes: `3.11.2`. */
  readonly version: string;
}

interface DebianRelease {
  readonly version: string;
  readonly python: OwnPython;
}

/** Debian releases by codename. */
export const DEBIAN_RELEASES: Readonly<Record<string, DebianRelease>> = {
  buster: { version: '10', python: { tag: 'cp37', version: '3.7.3' } },
  bullseye: { version: '11', python: { tag: 'cp39', version: '3.9.2' } },
  bookworm: { version: '12', python: { tag: 'cp311', version: '3.11.2' } },
  trixie: { version: '13', python: { tag: 'cp313', version: '3.13.5' } },
};

/** Returns the release of a codename. Null if it is unknown. */
export const debianRelease = (codename: string): DebianRelease | null =>
  Object.hasOwn(DEBIAN_RELEASES, codename) ? DEBIAN_RELEASES[codename]! : null;

/** The name of a Debian package. */
export const DEBIAN_PACKAGE = /^[a-z0-9][a-z0-9+.-]+$/;
