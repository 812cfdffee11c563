import { type MemberFault, faultOf } from '../../engine/checks/archive.js';
import type { Archives, Member } from './ports.js';

interface Unpacking {
  readonly strip?: boolean;
  readonly onMember?: (member: Member) => void;
  /** Whether a member is unpacked. By default all are. */
  readonly only?: (member: Member) => boolean;
}

/** Unpacks a source archive into a folder. Throws ARCHIVE_UNSAFE for a member that leads outside. Strips the top folder
 * of an sdist; Slipway's own `.tar` files (source.tar, tree.tar) have none. */
export async function unpackTree(
  archives: Pick<Archives, 'unpack'>,
  path: string,
  into: string,
  options: Unpacking = {},
): Promise<void> {
  const strip = options.strip ?? !path.endsWith('.tar');
  let top: string | null = null;
  await archives.unpack(path, into, (member) => {
    const fault: MemberFault | null = faultOf(member);
    if (fault) return { refuse: fault };
    options.onMember?.(member);
    if (options.only?.(member) === false) return null;
    const parts = member.name.split('/').filter((part) => part !== '' && part !== '.');
    if (!strip) return parts.join('/') || null;
    top ??= parts[0] ?? null;
    if (parts[0] !== top) return { refuse: `is outside of the top folder ${top}/` };
    return parts.slice(1).join('/') || null;
  });
}
