import { canonical } from './json.js';

/** SHA-256 in hex with its algorithm in front: `sha256:4deb…`. */
export type Digest = `sha256:${string}`;

/** Hashes UTF-8 text. Callers pass it in because the pure rooms have no crypto. */
export type Hash = (text: string) => Digest;

export const isDigest = (text: unknown): text is Digest =>
  typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text);

export const digestOf = (value: unknown, hash: Hash): Digest => hash(canonical(value));

export const hexOf = (digest: Digest): string => digest.slice('sha256:'.length);

/** First 12 hex digits, for display. */
export const short = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);
