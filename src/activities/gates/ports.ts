import type { Plan } from '../../model/plan.js';
import type { Store } from '../ports.js';

export interface GatePorts {
  readonly store: Store;
  readonly planOf: (digest: string) => Promise<Plan>;
  /** Returns the address of a `service:NAME`; any other address is returned unchanged. */
  readonly resolve: (address: string) => string;
}

/** OpenSSH signatures in the namespace of approvals. */
export interface Signatures {
  /** Returns the fingerprint of the key that signed exactly this text. Null if the signature is invalid. */
  signedBy(text: string, signature: string): Promise<string | null>;
  /** Returns true if OpenSSH accepts the signature for this key, namespace and text.
   * @param publicKey one line: type, key, comment */
  verify(text: string, signature: string, publicKey: string): Promise<boolean>;
}
