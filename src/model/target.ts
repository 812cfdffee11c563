export type TargetKind = 'python' | 'maven' | 'oci' | 's3' | 'command' | 'central' | 'git-tag';

/** Parameters of some kinds of targets. Texts are filled in at plan time; `{file}` stays for the worker. */
export type TargetExtra =
  | {
      readonly kind: 'command';
      /** Shell lines for `sh -eu -c`, once for each file. */
      readonly observe: string;
      readonly upload: string;
      /** Values that the lines read of their environment, by variable; absent where they read none. */
      readonly vars?: Readonly<Record<string, string>>;
      /** For people; nothing runs it. */
      readonly undo: string | null;
      /** Variables of the worker that the lines get, and no others. */
      readonly secrets: readonly string[];
    }
  | {
      readonly kind: 's3';
      /** Path of a file below the address, with `{file}` in it. */
      readonly path: string;
      /** A server that is not AWS; null: AWS. */
      readonly endpoint: string | null;
    }
  | {
      readonly kind: 'central';
      readonly mode: 'user-managed' | 'automatic';
      /** Maven repository in which what was published is read. */
      readonly reads: string;
    }
  | { readonly kind: 'git-tag'; readonly tag: string; readonly message: string; readonly commit: string }
  /** Only where the profile says it. */
  | {
      readonly kind: 'oci';
      /** Address of another host's token server, which may see the credential. */
      readonly realm: string;
    }
  | {
      readonly kind: 'python';
      /** Simple index in which what was uploaded is read; no credential goes to another host than the target's. */
      readonly reads: string;
    };

/** A registry we publish to. No values of secrets, ever: `$NAME` only. */
export interface Target {
  readonly name: string;
  readonly kind: TargetKind;
  /** `service:index` (started by `slipway up`), an address, or for python a repository name that twine knows. */
  readonly address: string;
  /** Repository inside an OCI registry; null elsewhere. */
  readonly repository: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly extra?: TargetExtra;
  /** Size limits of the target, if the profile sets any. */
  readonly limits?: TargetLimits;
}

/** MiB of 2^20 bytes. */
export interface TargetLimits {
  /** Limit of one file. */
  readonly fileMiB?: number;
  /** Limit of all files of one release. */
  readonly totalMiB?: number;
}
