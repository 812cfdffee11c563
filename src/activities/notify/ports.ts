/** Sends JSON to an address that may itself be a secret: nothing of it stands in an error. */
export interface Webhook {
  /** Throws where nobody answered. Redirects are not followed: a message goes where the release file says, or nowhere. */
  post(
    letter: Letter,
  ): Promise<{ readonly status: number; /** The beginning of what it said. */ readonly said: string }>;
}
export interface Letter {
  /** Who is told, for messages: `notify.team`. */
  readonly to: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}
