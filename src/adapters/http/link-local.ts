import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fail } from '../../model/failure.js';
import { isLinkLocal } from '../../model/policy/address.js';
import { addressLinkLocal } from '../../model/policy/errors.js';

/** Throws ADDRESS_LINK_LOCAL if a request would go to a link-local address. A name that is not found connects nothing. */
export async function assertNotLinkLocal(whose: string, url: string): Promise<void> {
  const { hostname, origin } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => []);
  const bad = found.find(({ address }) => isLinkLocal(address));
  if (bad) throw fail(addressLinkLocal({ whose, address: origin, why: `${host} is ${bad.address}` }));
}
