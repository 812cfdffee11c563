import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export const ALGORITHMS = ['sha1', 'md5', 'sha256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export async function checksums(path: string): Promise<Readonly<Record<Algorithm, string>>> {
  const hashes = ALGORITHMS.map((algorithm) => createHash(algorithm));
  for await (const chunk of createReadStream(path)) for (const hash of hashes) hash.update(chunk as Uint8Array);
  return named(hashes.map((hash) => hash.digest('hex')));
}

export const checksumsOfText = (text: string): Readonly<Record<Algorithm, string>> =>
  named(ALGORITHMS.map((algorithm) => createHash(algorithm).update(text).digest('hex')));

const named = ([sha1, md5, sha256]: readonly string[]): Record<Algorithm, string> => ({
  sha1: sha1!,
  md5: md5!,
  sha256: sha256!,
});
