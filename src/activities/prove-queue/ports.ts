/** The container engine that steps of a queue talk to. */
export interface Engine {
  /** Why it does not answer, or null where it does. */
  silence(): Promise<string | null>;
}
