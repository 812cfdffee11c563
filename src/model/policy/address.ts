import type { Problem } from '../failure.js';
import { secretReference } from '../secret.js';
import { addressLinkLocal, rehearsalElsewhere } from './errors.js';
import { isLinkLocal } from './link-local.js';
import { placeOf, type Receiver } from './place.js';

/** Judges an address as far as its text shows: of a plan, and again as a worker resolves it. Returns the reason against it, null
 * without one. Live, a row of the policy allows it besides. */
export function addressProblem(one: Receiver, rehearsal: boolean): Problem | null {
  if (isHidden(one)) return null;
  const bad = hostsOf(one).find(isLinkLocal);
  if (bad !== undefined) return addressLinkLocal({ ...shownOf(one), why: `${bad} is link-local` });
  if (!rehearsal || one.kind === 'read') return null;
  const place = placeOf(one);
  const { whose, address } = shownOf(one);
  return place.here
    ? null
    : rehearsalElsewhere({ whose, why: place.why, address: one.kind === 'webhook' ? address : place.address });
}

/** Whether a plan shows a reference in place of an address. Its value is judged when it is used. */
export const isHidden = ({ kind, address }: Receiver): boolean =>
  (kind === 'postgres' || kind === 'webhook') && secretReference(address) !== null;

/** Returns the names or IP addresses of the servers of an address. */
export function hostsOf({ kind, address, extra }: Pick<Receiver, 'kind' | 'address' | 'extra'>): readonly string[] {
  if (kind === 'ssh') return [address.replace(/^.*@/, '')];
  const more = ['endpoint', 'reads', 'realm'].map((key) => (extra as Record<string, unknown> | undefined)?.[key]);
  const texts = [kind === 'oci' ? address.replace(/^(?!\w+:\/\/)/, 'https://') : address, ...more];
  return texts
    .flatMap((text) => (typeof text === 'string' ? hostsIn(text, kind === 'git-tag') : []))
    .map((host) => decoded(host.replace(/^\[(.*)\]$/, '$1')));
}

/** Programs differ about a `\` before the host, so both readings count. */
function hostsIn(text: string, isGit: boolean): readonly string[] {
  const readings = new Set([text, text.replaceAll('\\', '/')]);
  const found = [...readings].flatMap((one) => HOST.exec(one)?.slice(1) ?? []);
  return found.length > 0 || !isGit ? found : (SCP.exec(text)?.slice(1) ?? []);
}

const HOST = /^(?:https?|git|ssh|postgres(?:ql)?):\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]+)/i;
/** `git@host:path`, as git reads it. */
const SCP = /^(?:[^/:]*@)?(\[[^\]]*\]|[^/:[\]]+):(?!\/\/)/;

/** A client decodes `%31` before it looks for the host. */
/** Without percent-encoding. A text that is encoded wrongly stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Name and address for messages. The path of a webhook is often its secret. */
export function shownOf({ name, kind, address, path }: Receiver): { readonly whose: string; readonly address: string } {
  const whose = path === undefined ? `its target ${JSON.stringify(name)}` : name;
  const shown = kind === 'webhook' ? address.replace(/^(\w+:\/\/[^/?#]*).*$/s, '$1') : address;
  return { whose, address: shown.replace(/\/\/[^/]*@/, '//') };
}
