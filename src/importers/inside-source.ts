/** Returns a path without `.` and `..`. Null if it leaves the source. */
export function insideSource(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return /[\0\n\\]/.test(path) || path.startsWith('~') ? null : parts.join('/') || '.';
}
