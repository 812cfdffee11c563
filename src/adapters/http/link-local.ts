import { lookup as lookupNow } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { fail, type Problem } from '../../model/failure.js';
import { addressLinkLocal } from '../../model/policy/errors.js';
import { isLinkLocal } from '../../model/policy/link-local.js';

/** Throws ADDRESS_LINK_LOCAL if a request would go to a link-local address. Rejects for a name that is not found: the next look-up
 * might find it. */
export async function assertNotLinkLocal(whose: string, url: string): Promise<void> {
  const { hostname, origin } = new URL(url);
  const problem = await linkLocalProblem(whose, hostname.replace(/^\[(.*)\]$/, '$1'), origin);
  if (problem !== null) throw fail(problem);
}

/** Rejects for a name that is not found.
 * @param address for the message */
export async function linkLocalProblem(whose: string, host: string, address: string): Promise<Problem | null> {
  const isNumber = isIP(host) !== 0 || isLinkLocal(host);
  const found = isNumber ? [host] : (await lookup(host, { all: true })).map((one) => one.address);
  const bad = found.find(isLinkLocal);
  return bad === undefined ? null : addressLinkLocal({ whose, address, why: `${host} is ${bad}` });
}

/** The look-up of a socket, which connects to the addresses that were judged. Sockets ask none for a number. */
export const judgedLookup =
  (whose: string): LookupFunction =>
  (host, options, done) =>
    lookupNow(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0);
      const bad = found.find(({ address }) => isLinkLocal(address));
      if (bad) return done(fail(addressLinkLocal({ whose, address: host, why: `${host} is ${bad.address}` })), '', 0);
      return options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family);
    });
