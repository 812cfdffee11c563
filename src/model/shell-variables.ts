import type { Env } from './params.js';

/** Variable that replaces a placeholder in a shell line: `SLIPWAY_PYTHON_VERSION` for `python.version`. */
export const variableOf = (word: string): string => `SLIPWAY_${word.toUpperCase().replaceAll(/[.-]/g, '_')}`;

/** Folders that a line may write for its target, because an address may be a folder. */
export const foldersAt = (address: string): readonly string[] => (address.startsWith('/') ? [address] : []);

export interface LineFolders {
  readonly files: string;
  /** Folder of results. Absent if the line leaves none. */
  readonly out?: string;
}

/** Values of a line's placeholders, by variable. They reach the shell in the environment, so that it never parses them.
 * @param vars values known at plan time */
export const lineVariables = (vars: Env | undefined, { files, out }: LineFolders): Record<string, string> => ({
  ...vars,
  [variableOf('files')]: files,
  ...(out !== undefined && { [variableOf('out')]: out }),
});
