/** Keys of a home. `control` signs decisions about publishing by Ed25519: builders can verify them but not make them.
 * `worker` shows by a MAC that a worker belongs to the home. */
export const ROLES = ['control', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export interface Proof {
  readonly by: Role;
  /** Ed25519 or HMAC-SHA256 over `provedText`, in base64. */
  readonly sig: string;
}
export type Proved<T> = T & { readonly proof?: Proof };

/** Signs and verifies with the keys of a home that this process holds. */
export interface Proofs {
  holds(role: Role): boolean;
  knows(role: Role): boolean;
  /** Returns a proof. Null if this home cannot sign for the role. */
  sign(role: Role, purpose: string, value: object): Proof | null;
  /** Whether the role's key signed exactly this value for this purpose. False without a key to verify it. */
  verify(role: Role, purpose: string, value: object, proof: Proof): boolean;
}

/** The signed text. The purpose, such as a record's name, stops a proof from serving elsewhere. JSON.parse preserves
 * the order of keys, so the text is the same before and after the store. */
export const provedText = (purpose: string, value: object): string =>
  `slipway-proof-1\n${JSON.stringify(purpose)}\n${JSON.stringify(value)}`;

/** Adds a proof to the value. Unchanged if this home cannot sign for the role. */
export function withProof<T extends object>(proofs: Proofs, role: Role, purpose: string, value: T): Proved<T> {
  const proof = proofs.sign(role, purpose, value);
  return proof === null ? value : { ...value, proof };
}

export function isProved<T extends object>(proofs: Proofs, role: Role, purpose: string, proved: Proved<T>): boolean {
  const { proof, ...value } = proved;
  return isProof(proof) && proof.by === role && proofs.verify(role, purpose, value, proof);
}

const isProof = (value: unknown): value is Proof =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Proof>).by === 'string' &&
  typeof (value as Partial<Proof>).sig === 'string';
