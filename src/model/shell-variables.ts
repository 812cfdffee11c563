import type { Env } from './params.js';

/** Variable that a shell line names in the place of a placeholder: `SLIPWAY_PYTHON_VERSION` of `python.version`. */
export const variableOf = (word: string): string => `SLIPWAY_${word.toUpperCase().replaceAll('.', '_')}`;

/** Folders of the machine that a line may write for its target: an address may be a folder. */
export const foldersAt = (address: string): readonly string[] => (address.startsWith('/') ? [address] : []);

/** Folders of a worker that a shell line or a variable may name. */
export interface LineFolders {
  /** Bundle files. */
  readonly files: string;
  /** Results; absent where the line leaves none. */
  readonly out?: string;
}

/** Values of a line's placeholders, by variable. They reach the shell in the environment, so that it never reads them as text.
 * @param vars values that were known at plan time */
export const lineVariables = (vars: Env | undefined, { files, out }: LineFolders): Record<string, string> => ({
  ...vars,
  [variableOf('files')]: files,
  ...(out !== undefined && { [variableOf('out')]: out }),
});
