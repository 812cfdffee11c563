import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { MendingPorts } from '../../../src/activities/index/mend-wheel.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { projectOf } from '../../../src/engine/index/listed.js';
import { wheelStatement } from '../../../src/engine/index/statement.js';
import type { Digest } from '../../../src/model/digest.js';
import { canonical } from '../../../src/model/json.js';
import { indexPaths, SIDECAR, STATEMENT, type IndexEntry } from '../../../src/model/python/index-entry.js';
import { anEntry, digest } from '../../engine/index/an-entry.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { newRoot, PLATFORM } from './an-index.js';

const sha256 = (bytes: Buffer | string): Digest => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export const mending: MendingPorts = {
  archives: createArchives(),
  scratch: async () => mkdtempSync(join(tmpdir(), 'slipway-mend-')),
  now: () => Date.parse('2026-11-23T03:00:00Z'),
};

/** Writes a wheel with all that an index has of it. @param more fields of its entry */
export async function putWheel(
  root: string,
  project: string,
  version: string,
  more: Partial<IndexEntry> = {},
): Promise<string> {
  const said = { project, version, python: 'py3' };
  const file = wheelName(said);
  const metadata = `Metadata-Version: 2.1\nName: ${project}\nVersion: ${version}\nRequires-Python: >=3.8\n\nA boat.\n`;
  const bytes = await aWheel({ ...said, metadata });
  const from = { source: digest('d'), lock: null, base: digest('e') };
  const statement = wheelStatement({ file, digest: sha256(bytes), from, plan: digest('f'), step: `wheels/${project}` });
  const entry: IndexEntry = anEntry(file, {
    ...{ digest: sha256(bytes), size: bytes.length, requiresPython: '>=3.8', from },
    ...{ metadata: sha256(metadata), statement: sha256(statement), ...more },
  });
  const path = indexPaths.file(PLATFORM, projectOf(file), file);
  write(root, path, bytes);
  write(root, path + SIDECAR, metadata);
  write(root, path + STATEMENT, statement);
  write(root, indexPaths.entry(PLATFORM, projectOf(file), file), canonical(entry));
  return file;
}

function write(root: string, path: string, content: Buffer | string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** An index of two wheels of `boat` and one of `skiff`, with their pages. */
export async function aSoundIndex() {
  const root = newRoot();
  for (const version of ['1.0', '2.0']) await putWheel(root, 'boat', version);
  await putWheel(root, 'skiff', '3.0');
  const place = openFolder('cache', root);
  await drawPages(place, PLATFORM, ['boat', 'skiff']);
  return { root, place };
}
