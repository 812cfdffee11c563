import type { Env } from '../../model/params.js';
import { lineVariables, type LineFolders } from '../../model/shell-variables.js';

interface Lined {
  readonly env: Env;
  readonly vars?: Env;
}

/** Variables of a step's line: the release file's, with the worker's folders filled in, then the variables that the
 * line names. */
export const lineEnv = ({ env, vars }: Lined, folders: LineFolders): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, folders)])),
  ...lineVariables(vars, folders),
});

const filled = (text: string, { files, out }: LineFolders): string => {
  const some = text.replaceAll('{files}', () => files);
  return out === undefined ? some : some.replaceAll('{out}', () => out);
};
