/** Returns whether a host is a link-local IP address (RFC 3927, RFC 4291), in any spelling that a program connects to: octal,
 * hexadecimal, one number, or inside of an IPv6 address. */
export function isLinkLocal(host: string): boolean {
  const plain = host.normalize('NFKC').toLowerCase().replace(/%.*$/, '').replace(/\.$/, '');
  if (!plain.includes(':')) return isIn169(valueOf(plain));
  const groups = groupsOf(plain);
  if (groups === null) return false;
  if ((groups[0]! & 0xffc0) === 0xfe80) return true;
  return CARRIES.test(groups.slice(0, 6).join(':')) && groups[6] === LINK_LOCAL;
}

const LINK_LOCAL = 0xa9fe;
/** Six groups, in decimal, before an IPv4 address: none, mapped, translated, and that of NAT64. */
const CARRIES = /^(0:0:0:0:(0:0|0:65535|65535:0)|100:65435:0:0:0:0)$/;
const isIn169 = (value: number | null): boolean => value !== null && Math.floor(value / 0x10000) === LINK_LOCAL;

/** Reads an IPv4 address as inet_aton does: up to four numbers, of which the last fills the rest. Null for a name. */
function valueOf(text: string): number | null {
  const parts = text.split('.').map(numberOf);
  const last = parts.pop()!;
  if (parts.length > 3 || [...parts, last].some((one) => Number.isNaN(one))) return null;
  return parts.reduce((sum, part, at) => sum + part * 256 ** (3 - at), last);
}

function numberOf(text: string): number {
  if (/^0x[0-9a-f]*$/.test(text)) return Number.parseInt(`0${text.slice(2)}`, 16);
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns the eight groups of an IPv6 address, null if it is none. */
function groupsOf(text: string): readonly number[] | null {
  const hex = text.replace(/[^:]*\..*$/, (ip) => {
    const value = valueOf(ip) ?? 0;
    return `${Math.floor(value / 0x10000).toString(16)}:${(value % 0x10000).toString(16)}`;
  });
  const [left = [], right] = hex.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const missing = right === undefined ? 0 : 8 - left.length - right.length;
  if (missing < 0) return null;
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...(right ?? [])];
  return all.length === 8 && all.every((one) => /^[0-9a-f]{1,4}$/.test(one))
    ? all.map((one) => Number.parseInt(one, 16))
    : null;
}
