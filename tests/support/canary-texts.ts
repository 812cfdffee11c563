import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts that reveal a secret: itself, its begin, its usual escapes, and its middle in base64 at each offset. */
export const textsOf = (secret: string): readonly string[] => [
  secret,
  secret.slice(0, 14),
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  ...[0, 1, 2].map((before) => {
    const text = Buffer.from('x'.repeat(before) + secret).toString('base64');
    return text.slice(before === 0 ? 0 : before + 1, -4);
  }),
];

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Files below a folder that hold one of these texts. */
export const holding = (folder: string, texts: readonly string[]): readonly string[] =>
  filesUnder(folder).filter((path) => {
    // A journal of a running database may be gone by now.
    const bytes = bytesOf(path);
    return texts.some((text) => bytes.includes(text));
  });
