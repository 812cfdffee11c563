/** A Python found by running it, not by the name of its folder. */
export interface Interpreter {
  /** `cp312`; `cp313t` is free-threaded, `pp310` is PyPy. */
  readonly tag: string;
  /** `3.12.1` */
  readonly version: string;
  /** Absolute path of the program. */
  readonly path: string;
  /** Absolute path of the installation; never part of a result. */
  readonly prefix: string;
  /** True if extensions can be compiled with it. */
  readonly headers: boolean;
  /** Its LDSHARED, the linker command for extensions; may hold run paths of this machine. */
  readonly ldshared: string;
}

export interface Interpreters {
  /** Returns the best Python of a tag: with headers first, then the newest patch. Null if there is none. */
  find(tag: string): Promise<Interpreter | null>;
  /** Returns the tags of all Pythons, oldest first. */
  tags(): Promise<readonly string[]>;
}
