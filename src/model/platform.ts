/** What artifacts are for, as planned: workers read it from a step's parameters and need no table of their own. */
export interface PlatformFacts {
  readonly name: string;
  /** linux, macos, windows */
  readonly os: string;
  /** As the machine itself says: x86_64, aarch64, arm64, amd64. */
  readonly arch: string;
  /** The oldest C library, on macOS the oldest system, that its artifacts promise to run on; null: whatever the builder's machine gives. */
  readonly libc: { readonly name: 'glibc' | 'musl' | 'macos'; readonly floor: string } | null;
  /** Pattern of its tag in names of wheels. */
  readonly wheel: string;
  /** Its folder in JARs: `{native}`. */
  readonly native: string;
  /** OCI platform of its images; null where there are no containers of it. */
  readonly oci: string | null;
  /** none, cuda */
  readonly accelerator: string;
}

/** Compilers that build for another machine than their own, or for an older C library. */
export type Cross = 'zig' | 'gcc';
