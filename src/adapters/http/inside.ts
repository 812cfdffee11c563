import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Networks of this machine, of private networks, and those that lead to no single public server. */
const IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
  198.18.0.0/15 224.0.0.0/3`.split(/\s+/);
/** IPv4-compatible, Teredo, local NAT64, unique local, link-local, site-local, multicast. */
const IPV6 = '::/96 2001::/32 64:ff9b:1::/48 fc00::/7 fe80::/10 fec0::/10 ff00::/8'.split(' ');
/** Mapped, translated, and NAT64: an IPv4 address follows. */
const BEFORE_IPV4 = ['::ffff:', '::ffff:0:', '64:ff9b::'];

const INSIDE = new BlockList();
for (const [net, address = '', bits] of [...IPV4, ...IPV6].map((text) => [text, ...text.split('/')] as const)) {
  INSIDE.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  if (net.includes(':')) continue;
  for (const prefix of BEFORE_IPV4) INSIDE.addSubnet(`${prefix}${address}`, 96 + Number(bits), 'ipv6');
  const hex = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  // 6to4 (RFC 3056): the IPv4 address begins behind 2002.
  INSIDE.addSubnet(`2002:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}::`, 16 + Number(bits), 'ipv6');
}

/** Whether a host is an address, or the name, of this machine or of a private network. Other names are not looked up. */
export const isInside = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && INSIDE.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'));

/** The look-up of a socket, which connects to no address inside. Sockets ask none for a number.
 * @param named may be localhost, which is then allowed
 * @param refused makes the error of a name */
export const outsideLookup =
  (named: string, refused: (host: string, address: string) => Error): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const isNamed = host === 'localhost' && named === host;
      const bad = error || isNamed ? undefined : found.find(({ address }) => isInside(address.replace(/%.*$/, '')));
      if (error ?? bad) return done(error ?? (refused(host, bad!.address) as NodeJS.ErrnoException), '', 0);
      return options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family);
    });
