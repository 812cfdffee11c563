/** Folder of upstream's test files; a `working_dir` is below it, `//x` below the top of the source. */
const ROOT = 'release';

/** Returns a path without `.` and `..`. Null if it leaves the source. */
export function insideSource(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return /[\0\n\\]/.test(path) || path.startsWith('~') ? null : parts.join('/') || '.';
}

export const workingFolder = (named: string): string | null =>
  insideSource(named.startsWith('//') ? named.replace(/^\/+/, '') : `${ROOT}/${named}`);

export const environmentFile = (env: string): string | null =>
  /^[\w.-]+$/.test(env) ? `${ROOT}/ray_release/environments/${env}.env` : null;

export const byodFile = (named: string): string | null => insideSource(`${ROOT}/ray_release/byod/${named}`);
