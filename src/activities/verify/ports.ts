/** Runs a line in an image that is pulled from the target by digest. */
export interface ImageRunner {
  run(command: ImageCommand): Promise<{ readonly code: number }>;
}
export interface ImageCommand {
  /** `host/repository@sha256:…`. */
  readonly reference: string;
  /** For `sh -eu -c`; null pulls only. */
  readonly line: string | null;
  readonly auth: { readonly username: string; readonly password: string } | null;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void | Promise<void>;
}
