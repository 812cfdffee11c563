/** Keys of a home. `control` signs what decides about publishing, by Ed25519: builders can check it and not make it. `worker` shows that
 * a worker belongs to the home, by a MAC. */
export const ROLES = ['control', 'worker'] as const;
export type Role = (typeof ROLES)[number];

/** A signature by a key of the home. */
export interface Proof {
  readonly by: Role;
  /** Ed25519 or HMAC-SHA256 over `provedText`, in base64. */
  readonly sig: string;
}
export type Proved<T> = T & { readonly proof?: Proof };

/** Signs and checks with the keys of a home, as far as they are here. */
export interface Proofs {
  /** Whether this home can sign for the role. */
  holds(role: Role): boolean;
  /** Whether this home can check what the role signed. */
  knows(role: Role): boolean;
  /** Returns a proof. Null if this home cannot sign for the role. */
  sign(role: Role, purpose: string, value: object): Proof | null;
  /** Whether the role's key signed exactly this value for this purpose. False if the home cannot check it. */
  verify(role: Role, purpose: string, value: object, proof: Proof): boolean;
}

/** The signed text. The purpose, such as a record's name, keeps a proof of one thing from serving another. Parsing keeps the order of
 * keys, so the text is the same before and after the store. */
export const provedText = (purpose: string, value: object): string =>
  `slipway-proof-1\n${JSON.stringify(purpose)}\n${JSON.stringify(value)}`;

/** Returns the value with a proof; as it is if this home cannot sign for the role. */
export function withProof<T extends object>(proofs: Proofs, role: Role, purpose: string, value: T): Proved<T> {
  const proof = proofs.sign(role, purpose, value);
  return proof === null ? value : { ...value, proof };
}

/** Whether the value carries a proof by the role for this purpose. */
export function isProved<T extends object>(proofs: Proofs, role: Role, purpose: string, proved: Proved<T>): boolean {
  const { proof, ...value } = proved;
  return isProof(proof) && proof.by === role && proofs.verify(role, purpose, value, proof);
}

const isProof = (value: unknown): value is Proof =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Proof>).by === 'string' &&
  typeof (value as Partial<Proof>).sig === 'string';
