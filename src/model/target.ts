export type TargetKind = 'python' | 'maven' | 'oci' | 's3' | 'command' | 'central' | 'git-tag' | 'simple';

/** Parameters of some kinds of targets. Planning fills texts in; `{file}` stays for the worker. */
export type TargetExtra =
  | {
      readonly kind: 'command';
      /** Shell lines for `sh -eu -c`, once for each file. */
      readonly observe: string;
      readonly upload: string;
      /** Values that the lines read from their environment, by variable. Absent if they read none. */
      readonly vars?: Readonly<Record<string, string>>;
      /** Text for display. No step runs it. */
      readonly undo: string | null;
      /** The only variables of the worker that the lines get. */
      readonly secrets: readonly string[];
    }
  | {
      readonly kind: 's3';
      /** Path of a file below the address, with `{file}` in it. */
      readonly path: string;
      /** A server other than AWS. Null for AWS. */
      readonly endpoint: string | null;
    }
  | {
      readonly kind: 'central';
      readonly mode: 'user-managed' | 'automatic';
      /** Maven repository that serves the published files. */
      readonly reads: string;
    }
  | { readonly kind: 'git-tag'; readonly tag: string; readonly message: string; readonly commit: string }
  | {
      readonly kind: 'oci';
      /** Address of a token server on another host, which may get the credential. */
      readonly realm: string;
    }
  | {
      readonly kind: 'python';
      /** Simple index that serves the uploaded files. Only the target's host gets the credential. */
      readonly reads: string;
    }
  | {
      readonly kind: 'simple';
      /** Address that serves the folder or bucket. Null for `service:wheels`, and for a folder that is read as files. */
      readonly reads: string | null;
      /** A server of the bucket other than AWS. Null for AWS, and for a folder. */
      readonly endpoint: string | null;
    };

/** A registry to publish to. It holds references to secrets (`$NAME`), never values. */
export interface Target {
  readonly name: string;
  readonly kind: TargetKind;
  /** `service:index` (started by `slipway up`), an address, or for python a repository name that twine knows. */
  readonly address: string;
  /** Repository inside an OCI registry. Null for other kinds. */
  readonly repository: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly extra?: TargetExtra;
  readonly limits?: TargetLimits;
}

/** MiB of 2^20 bytes. */
export interface TargetLimits {
  readonly fileMiB?: number;
  readonly totalMiB?: number;
}
