/** Sends JSON to an address that may be a secret, so no error quotes it. */
export interface Webhook {
  /** Throws if no answer came. Redirects are not followed: the release file alone names the recipient. */
  post(
    letter: Letter,
  ): Promise<{ readonly status: number; /** The beginning of the response body. */ readonly said: string }>;
}
export interface Letter {
  readonly to: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}
