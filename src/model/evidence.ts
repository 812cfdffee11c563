import type { Digest } from './digest.js';

/** Dead Simple Signing Envelope v1. */
export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** Returns the start of the text that an envelope's signature covers (PAE). The payload follows.
 * @param type ASCII, so characters equal bytes
 * @param bytes length of the payload */
export const signedBefore = (type: string, bytes: number): string => `DSSEv1 ${type.length} ${type} ${bytes} `;

/** A file that a statement lists, by digest. */
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
  readonly byproducts: readonly Subject[];
}

export interface Statement {
  readonly file: string;
  readonly origin: Origin;
  /** Name of the trusted key that made the signature. Null if none did. */
  readonly signedBy: string | null;
  /** Ids of the keys that the envelope names. Empty for an unsigned statement. */
  readonly claims: readonly string[];
}

export interface Bill {
  readonly name: string;
  readonly digest: Digest;
  readonly components: number;
}

export interface Approved {
  readonly gate: string;
  readonly by: string;
  readonly manifest: string;
  readonly decision: string;
  /** Line of the trusted key that made the signature. Null if none did. */
  readonly signedBy: string | null;
}

/** Evidence beside the files of a release: manifest, statement, checksums, SBOM, approvals. */
export interface Evidence {
  readonly folder: string;
  /** `kept`: what it seals as evidence. */
  readonly manifest: { readonly digest: Digest; readonly release: string; readonly kept: readonly Subject[] } | null;
  readonly statements: readonly Statement[];
  readonly bills: readonly Bill[];
  readonly approvals: readonly Approved[];
  /** Names and digests of `SHA256SUMS`. Null without such a file. */
  readonly sums: readonly Subject[] | null;
  /** Evidence files that cannot be read. */
  readonly faults: readonly { readonly file: string; readonly why: string }[];
  readonly keys: readonly string[];
}

export interface Downloaded {
  readonly path: string;
  readonly name: string;
  readonly digest: Digest;
}
