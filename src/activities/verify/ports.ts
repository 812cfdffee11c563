/** Runs a line in an image that is pulled from the target by digest. */
export interface ImageRunner {
  run(command: ImageCommand): Promise<{ readonly code: number }>;
  /** Whether this machine runs what is for an OCI platform, by itself or by emulation. */
  runs(platform: string): Promise<boolean>;
}
export interface ImageCommand {
  /** `host/repository@sha256:…`. */
  readonly reference: string;
  /** OCI platform, of an image that is for several; null: the engine's own. */
  readonly platform: string | null;
  /** For `sh -eu -c`; null pulls only. */
  readonly line: string | null;
  /** Laid over the image's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly auth: { readonly username: string; readonly password: string } | null;
  /** Whether the line has the host's network. */
  readonly network: boolean;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void | Promise<void>;
}
