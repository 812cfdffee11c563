import type { Receiver } from '../../model/policy/place.js';
import type { PolicyRow } from '../../model/schema/policy.js';

type Addressed = Pick<Receiver, 'kind' | 'address' | 'repository' | 'extra' | 'config'>;

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)/i;
/** Programs parse these differently: a user before the host, a backslash, dot segments, encoded dots. */
const DOUBTFUL = /[\\?#\s]|:\/\/[^/]*@|(^|\/)\.{1,2}(\/|$)|%(2e|2f|5c)/i;

/** Returns the canonical form of an address. Null if programs may parse the text differently. */
function canonical(text: string): string | null {
  if (DOUBTFUL.test(text)) return null;
  const origin = ORIGIN.exec(text)?.[0] ?? '';
  const plain = origin.toLowerCase().replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2');
  return `${plain}${text.slice(origin.length)}`.replace(/\/+$/, '');
}

/** Adds Docker's default scheme: https, but http for this machine. */
function registry(text: string): string {
  if (SCHEME.test(text) || text.startsWith('service:')) return text;
  return `${/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/.test(text) ? 'http' : 'https'}://${text}`;
}

/** Returns the address that something is sent to, for comparison with rows of a policy. */
function writesTo({ kind, address, repository }: Addressed): string | null {
  if (kind === 'github') return canonical(`${address}/${repository ?? ''}`);
  if (kind !== 'oci') return canonical(address);
  const host = SCHEME.test(address) ? address.replace(/\/+$/, '') : address.replace(/\/.*$/, '');
  return canonical(`${registry(host)}/${repository ?? ''}`);
}

/** Returns how many characters of the target's address a row covers. 0 if it does not cover it. */
export function covers(row: PolicyRow, target: Addressed): number {
  if (row.kind !== target.kind) return 0;
  // The configuration of ssh says where a host is.
  if (row.kind === 'ssh' && (row.config ?? null) !== (target.config ?? null)) return 0;
  // Another server gets the files or the credential, so the policy names it too.
  const extra = (target.extra ?? {}) as Readonly<Partial<Record<'endpoint' | 'realm', string | null>>>;
  for (const key of ['endpoint', 'realm'] as const)
    if (extra[key] !== undefined && (row[key] ?? null) !== extra[key]) return 0;
  const allowed = canonical(row.kind === 'oci' ? registry(row.address) : row.address);
  const to = writesTo(target);
  if (allowed === null || to === null) return 0;
  return to === allowed || to.startsWith(`${allowed}/`) ? allowed.length : 0;
}
