import { fail } from '../../model/failure.js';
import { realmAbsent, realmForeign } from '../http/errors.js';
import { shown, type Peer } from '../http/request.js';

interface Challenged {
  readonly peer: Peer;
  /** Address of the registry's API. */
  readonly root: string;
  readonly challenge: string;
  /** The realm that the profile names. */
  readonly allowed: string | null;
}

/** Returns the token server that a challenge names. Throws TOKEN_REALM_ABSENT if it names none. Throws
 * TOKEN_REALM_FOREIGN if the credential would go to another origin that the profile does not name, or travel
 * unencrypted. */
export function realmOf({ peer, root, challenge, allowed }: Challenged, realm: string | undefined): URL {
  if (realm === undefined || !URL.canParse(realm)) throw fail(realmAbsent(peer.target, shown(root), challenge));
  const url = new URL(realm);
  url.username = url.password = '';
  const refuse = (why: string): never => {
    throw fail(realmForeign(peer.target, shown(root), shown(url.href), why));
  };
  const isOwnOrigin = url.origin === new URL(root).origin;
  const isNamed = allowed !== null && url.origin === new URL(allowed).origin;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url) && (isOwnOrigin || isNamed)))
    return refuse('that is neither https nor a server of this machine that the profile names');
  // An anonymous token needs no such check.
  if (peer.password !== null && !isOwnOrigin && !isNamed)
    return refuse('that is another host, and the profile does not name it');
  return url;
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
