/** 0 released, rehearsed or done, 1 failed, 2 usage or release file, 3 cancelled, 4 held: the run waits for an action. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | ForeignExit;
/** A code of another tool's list, which `slipway run --exit-as` asks for. */
export type ForeignExit = number & { readonly of: 'another tool' };

/** Output of a command: data to `out`, messages and errors to `err`. */
export interface Io {
  /** Whole lines; a missing newline at the end is added. */
  out(text: string): void;
  err(text: string): void;
  /** The text as it is, to stdout: pieces of a log, a live view. */
  write(text: string): void;
  /** A live terminal on stdout; its size in columns and rows. */
  readonly terminal: {
    readonly live: boolean;
    readonly columns: number;
    readonly rows: number;
    readonly colour: boolean;
  };
}

export interface Option {
  /** commander's flags: `--json`, `-f, --follow`, `--profile <name>`. */
  readonly flags: string;
  readonly help: string;
  readonly default?: string | boolean;
  /** Separator of the values of an option that may be given several times. */
  readonly many?: ',' | '\0';
}

export interface Input {
  /** By name, as written in `arguments`. */
  readonly args: Readonly<Record<string, string | undefined>>;
  /** All values of an argument that takes several: `<what...>`. */
  readonly rest?: readonly string[];
  /** By camelCase name of the flag. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command is one file: data, then `run`. It returns an exit code and prints through `io`; `--json` is the same data.
 * `Ports` is handed in by main.ts, which loads the Temporal client and the like only for commands that ask. */
export interface CommandSpec<Ports> {
  readonly name: string;
  readonly summary: string;
  /** commander's notation: `<file>`, `[step]`. */
  readonly arguments?: readonly { readonly name: string; readonly help: string }[];
  readonly options?: readonly Option[];
  run(input: Input, io: Io, ports: Ports): Promise<ExitCode>;
}

/** Commands under one title of `slipway --help`. */
export interface CommandGroup<Ports> {
  readonly title: string;
  readonly commands: readonly CommandSpec<Ports>[];
}
