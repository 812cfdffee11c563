import type { Exit } from '../ports.js';

/** A prepared place for a test: its folders as the line sees them, and how a shell line is run. */
export interface TestLocation {
  readonly files: string;
  readonly out: string;
  readonly run: (
    line: string,
    env: Record<string, string>,
    onOutput: (text: string) => void | Promise<void>,
  ) => Promise<Exit>;
}
