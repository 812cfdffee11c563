import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WheelFacts } from '../../../engine/checks/wheel.js';

/** Contents of the `.dist-info` folder of an unpacked wheel. */
export async function readMetadata(folder: string): Promise<Pick<WheelFacts, 'metadata' | 'tags' | 'record'>> {
  const info = (await readdir(folder)).find((name) => name.endsWith('.dist-info')) ?? '.dist-info';
  const textOf = (name: string): Promise<string | null> => readFile(join(folder, info, name), 'utf8').catch(() => null);
  const [metadata, tags, record] = await Promise.all(['METADATA', 'WHEEL', 'RECORD'].map(textOf));
  return {
    metadata: metadata ? nameAndVersion(metadata) : null,
    tags: fieldsOf(tags ?? '', 'Tag').sort(),
    record: record ?? null,
  };
}

/** Values of a header field, in order. */
export const fieldsOf = (text: string, name: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2).trim()] : []));

function nameAndVersion(metadata: string): WheelFacts['metadata'] {
  const header = metadata.split(/\r?\n\r?\n/)[0]!;
  const [name, version] = [fieldsOf(header, 'Name')[0], fieldsOf(header, 'Version')[0]];
  return name && version ? { name, version } : null;
}
