/** Facts of an archive member. Its author wrote them, so none is trusted. */
export interface MemberFacts {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hardlink' | 'other';
  readonly target: string | null;
}

/** Why a member is refused, as the end of a sentence that starts with its name. */
export type MemberFault = string;

/** Returns why a member could leave the target folder, judged by its header. Null if it cannot. */
export function faultOf({ name, kind, target }: MemberFacts): MemberFault | null {
  if (name.includes('\0') || name.includes('\\')) return 'has a backslash or a null byte in its name';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'has an absolute name';
  const parts = partsOf(name);
  if (parts.includes('..')) return 'leads out of the archive with ".."';
  if (kind === 'other') return 'is neither a file, a folder nor a link';
  if (kind !== 'link' && kind !== 'hardlink') return null;
  if (!target) return 'is a link to nowhere';
  if (target.startsWith('/')) return `is a link to the absolute path ${target}`;
  const from = kind === 'link' ? parts.slice(0, -1) : [];
  return staysInside([...from, ...partsOf(target)]) ? null : `is a link out of the archive, to ${target}`;
}

const partsOf = (name: string): string[] => name.split('/').filter((part) => part !== '' && part !== '.');

function staysInside(parts: readonly string[]): boolean {
  let depth = 0;
  for (const part of parts) {
    depth += part === '..' ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}
