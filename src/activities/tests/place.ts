import type { Exit } from '../ports.js';

/** Where a test runs, made ready: the texts for `{files}` and `{out}` there, and how a shell line is run. */
export interface Place {
  readonly files: string;
  readonly out: string;
  readonly run: (
    line: string,
    env: Record<string, string>,
    onOutput: (text: string) => void | Promise<void>,
  ) => Promise<Exit>;
}

export const fill = (text: string, { files, out }: Pick<Place, 'files' | 'out'>): string =>
  text.replaceAll('{files}', files).replaceAll('{out}', out);
