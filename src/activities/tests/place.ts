import type { Exit } from '../ports.js';

/** A prepared place for a test. The folders are paths as the line sees them. */
export interface TestLocation {
  readonly files: string;
  readonly out: string;
  readonly run: (
    line: string,
    env: Record<string, string>,
    onOutput: (text: string) => void | Promise<void>,
  ) => Promise<Exit>;
}
