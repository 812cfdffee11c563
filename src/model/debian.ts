/** A distribution, in the words of os-release: debian, 12, bookworm. */
export interface Distribution {
  readonly id: string;
  readonly version: string;
  readonly codename: string;
}

interface DebianRelease {
  readonly version: string;
  /** Tag of its Python. */
  readonly python: string;
}

/** Debian releases by codename. */
export const DEBIAN_RELEASES: Readonly<Record<string, DebianRelease>> = {
  buster: { version: '10', python: 'cp37' },
  bullseye: { version: '11', python: 'cp39' },
  bookworm: { version: '12', python: 'cp311' },
  trixie: { version: '13', python: 'cp313' },
};

/** Returns the release of a codename. Null if it is unknown. */
export const debianRelease = (codename: string): DebianRelease | null =>
  Object.hasOwn(DEBIAN_RELEASES, codename) ? DEBIAN_RELEASES[codename]! : null;

/** The name of a Debian package. */
export const DEBIAN_PACKAGE = /^[a-z0-9][a-z0-9+.-]+$/;
