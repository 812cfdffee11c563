import type { Digest } from './digest.js';

/** Dead Simple Signing Envelope v1. */
export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** Beginning of the text that an envelope's signature covers (PAE); the payload follows.
 * @param type ASCII: its length in characters is that in bytes @param bytes length of the payload */
export const signedBefore = (type: string, bytes: number): string => `DSSEv1 ${type.length} ${type} ${bytes} `;

/** Something that a statement says: these bytes belong to the release. */
export interface Subject {
  readonly name: string;
  readonly digest: Digest;
  readonly kind?: string;
  readonly step?: string;
  readonly isolation?: string;
}

/** The fields of a provenance statement that Slipway uses. */
export interface Origin {
  readonly release: { readonly name: string; readonly version: string };
  readonly manifest: Digest;
  readonly plan: Digest;
  /** `git 1a2b…`, or the digest of a source archive. */
  readonly source: string;
  readonly subjects: readonly Subject[];
  /** Bills of materials. */
  readonly byproducts: readonly Subject[];
}

export interface Statement {
  readonly file: string;
  readonly origin: Origin;
  /** Name of the trusted key whose signature holds. Null: none does. */
  readonly signedBy: string | null;
  /** Ids of the keys that the envelope names; empty for a statement without a signature. */
  readonly claims: readonly string[];
}

export interface Bill {
  readonly name: string;
  readonly digest: Digest;
  readonly components: number;
}

/** An approval of the manifest by a person. */
export interface Approved {
  readonly gate: string;
  readonly by: string;
  readonly manifest: string;
  readonly decision: string;
  /** Line of the trusted key whose signature holds. Null: none does. */
  readonly signedBy: string | null;
}

/** Evidence beside the files of a release: manifest, statement, checksums, SBOM, approvals. */
export interface Evidence {
  readonly folder: string;
  readonly manifest: { readonly digest: Digest; readonly release: string; readonly names: readonly Subject[] } | null;
  readonly statements: readonly Statement[];
  readonly bills: readonly Bill[];
  readonly approvals: readonly Approved[];
  /** Names and digests of `SHA256SUMS`; null: no such file. */
  readonly sums: readonly Subject[] | null;
  /** Files that claim to be evidence and cannot be read as that. */
  readonly faults: readonly { readonly file: string; readonly why: string }[];
  /** Names of the trusted keys. */
  readonly keys: readonly string[];
}

/** A file that somebody downloaded. */
export interface Downloaded {
  readonly path: string;
  readonly name: string;
  readonly digest: Digest;
}
