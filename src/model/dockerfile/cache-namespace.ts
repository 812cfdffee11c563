import { readings, type Instruction } from './read.js';

/** The build argument by which BuildKit keeps the cache mounts of builds apart. Each build gets a value of its own that no other one knows. */
export const CACHE_NAMESPACE = 'BUILDKIT_CACHE_MOUNT_NS';

/** Returns the line of an instruction that names this argument, or may: its value would make each image another one. Null without one.
 * Each way of reading `<<EOF` counts, and so does each escape character: a backslash, a backtick, or a backtick alone. */
export function namespaceLine(text: string): number | null {
  const ended = text.replace(/\\([ \t\r]*)$/gm, '/$1');
  const texts = [text, ...[text, ended].map((one) => one.replaceAll('`', '\\'))];
  return texts.flatMap(readings).flat().find(mayName)?.line ?? null;
}

/** BuildKit fills variables into the name of an ARG, and removes quotes from it. */
function mayName({ name, rest }: Instruction): boolean {
  const [, declared] = /^(?:\s*onbuild)*\s*arg\s([^]*)$/i.exec(`${name} ${rest}`) ?? [];
  const names = declared?.replace(/=(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])*/g, '') ?? '';
  return rest.includes(CACHE_NAMESPACE) || /["'\\$]/.test(names);
}
