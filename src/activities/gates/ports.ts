import type { Plan } from '../../model/plan.js';
import type { Store } from '../ports.js';

/** Ports of the activities at gates. */
export interface GatePorts {
  readonly store: Store;
  /** Reads a plan by digest. */
  readonly planOf: (digest: string) => Promise<Plan>;
  /** Address of a `service:NAME`, or the address itself. */
  readonly resolve: (address: string) => string;
}

/** OpenSSH signatures in the namespace of approvals. */
export interface Signatures {
  /** Fingerprint of the key that signed this very text, or null where no key did. */
  signedBy(text: string, signature: string): Promise<string | null>;
  /** Whether OpenSSH itself takes the signature as one of the key: validity, namespace and text.
   * @param publicKey one line: type, key, comment */
  verify(text: string, signature: string, publicKey: string): Promise<boolean>;
}
