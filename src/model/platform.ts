/** Facts of a planned platform. Steps carry them as parameters, so workers need no table. */
export interface PlatformFacts {
  readonly name: string;
  /** linux, macos, windows */
  readonly os: string;
  /** As the machine reports it: x86_64, aarch64, arm64, amd64. */
  readonly arch: string;
  /** The oldest supported C library, or the oldest macOS. Null for that of the builder's machine. */
  readonly libc: { readonly name: 'glibc' | 'musl' | 'macos'; readonly floor: string } | null;
  /** Pattern of its tag in wheel names. */
  readonly wheel: string;
  /** Its folder in JARs: `{native}`. */
  readonly native: string;
  /** OCI platform of its images. Null if it has no containers. */
  readonly oci: string | null;
  /** none, cuda */
  readonly accelerator: string;
}

/** Compilers for another machine or an older C library. */
export type Cross = 'zig' | 'gcc';
