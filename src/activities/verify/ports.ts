/** Runs a line in an image that is pulled from the target by digest. */
export interface ImageRunner {
  run(command: ImageCommand): Promise<{ readonly code: number }>;
  /** True if this machine runs images of an OCI platform, natively or by emulation. */
  runs(platform: string): Promise<boolean>;
}
export interface ImageCommand {
  /** `host/repository@sha256:…`. */
  readonly reference: string;
  /** OCI platform to pick from an index; null is the engine's own. */
  readonly platform: string | null;
  /** A line for `sh -eu -c`; null only pulls. */
  readonly line: string | null;
  /** Extends the image's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly auth: { readonly username: string; readonly password: string } | null;
  /** True gives the line the host's network. */
  readonly network: boolean;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void | Promise<void>;
}
