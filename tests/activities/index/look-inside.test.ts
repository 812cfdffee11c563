/** @needs compiler */
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookInside } from '../../../src/activities/index/look-inside.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { packZip } from '../../../src/adapters/archive/zip-pack.js';
import type { Artifact } from '../../../src/model/artifact.js';
import { aLibrary } from '../../support/a-library.js';
import { digest } from '../../engine/index/an-entry.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'slipway-inside-'));

/** Metadata and links of a wheel of these native files. */
async function insideOf(file: string, natives: readonly string[]) {
  const path = join(newFolder(), file);
  const members = natives.map((from) => ({ name: `boat/${from.split('/').at(-1)!}`, from: { path: from } }));
  const metadata = { name: 'boat-3.0.dist-info/METADATA', from: { text: 'Name: boat\n' } };
  await packZip(path, [...members, metadata], 1_767_225_600);
  const artifact: Artifact = { kind: 'wheel', name: file, digest: digest('a'), size: 1, labels: {} };
  const work = { folder: newFolder(), fetch: () => Promise.resolve(path) };
  return { work, said: await lookInside(work, { archives: createArchives() }, { artifact, name: file, url: '' }) };
}

const NATIVE = 'boat-3.0-cp311-cp311-linux_x86_64.whl';

test('given a wheel with an extension, then its links are libraries from outside with their symbol versions', async () => {
  const re2 = aLibrary({ file: 'libre2.so.9.0', soname: 'libre2.so.9', version: 'RE2_9' });
  const own = aLibrary({ file: 'libown.so', soname: 'libown.so.1' });
  const { said } = await insideOf(NATIVE, [
    aLibrary({ file: '_sail.so', uses: re2 }),
    aLibrary({ file: '_mast.so', uses: own }),
    own,
  ]);
  expect(said).toEqual({ metadata: 'Name: boat\n', links: { 'libre2.so.9': ['RE2_9'] } });
});

test('given a pure wheel, then only its METADATA is unpacked, and it links nothing', async () => {
  const { work, said } = await insideOf('boat-3.0-py3-none-any.whl', [aLibrary({ file: '_sail.so' })]);
  expect(said.links).toEqual({});
  expect(readdirSync(join(work.folder, 'inside'))).toEqual(['METADATA']);
});
