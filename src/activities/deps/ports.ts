/** A Python that was run, not one that a folder's name promises. */
export interface Interpreter {
  /** `cp312`; a free-threaded one `cp313t`, PyPy `pp310`. */
  readonly tag: string;
  /** `3.12.1` */
  readonly version: string;
  /** Absolute path of the program. */
  readonly path: string;
  /** Where it is installed: absolute, of this machine, never put into a result. */
  readonly prefix: string;
  /** Whether extensions can be compiled with it. */
  readonly headers: boolean;
  /** Its own linker line for extensions, which may carry run paths of this machine. */
  readonly ldshared: string;
}

/** Pythons of this machine. */
export interface Interpreters {
  /** The best one for a tag: with headers, then the newest patch; null where there is none. */
  find(tag: string): Promise<Interpreter | null>;
  /** Tags that are here, oldest first. */
  tags(): Promise<readonly string[]>;
}
