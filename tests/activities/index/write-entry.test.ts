import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEntry } from '../../../src/activities/index/write-entry.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { packZip, type ZipMember } from '../../../src/adapters/archive/zip-pack.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { aPlan } from '../../support/run-body.js';
import { digest } from '../../engine/index/an-entry.js';
import { codesOf } from '../publish/release.js';
import { aFolder, PLATFORM, wheel } from './an-index.js';

const FILE = wheel('boat', '1');
const INFO = 'boat-1.dist-info';
const STEP = { id: 'publish/cache', params: { target: { address: '/wheels' } } } as never;
const member = (name: string, content: string): ZipMember => ({ name, from: { text: content } });

/** Lists a wheel of these members. Returns its entry, and the codes of a refusal. */
async function listed(members: readonly ZipMember[]) {
  const { place } = aFolder();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-entry-'));
  const path = join(folder, FILE);
  await packZip(path, members, 1_767_225_600);
  const store = createDirectoryStore(join(folder, 'store'));
  const work = {
    ...{ folder, run: 'a-run', step: STEP, plan: aPlan(), store },
    fetch: async () => path,
  };
  const artifact = { digest: digest('a'), kind: 'wheel' as const, name: FILE, size: 1, labels: {} };
  const item = { artifact, name: indexPaths.file(PLATFORM, 'boat', FILE), url: '' };
  const writer = { work, place, ports: { archives: createArchives() } };
  const codes = await writeEntry(writer, item, 'wheels/boat').then(() => [], codesOf);
  return { codes, entry: await place.read(indexPaths.entry(PLATFORM, 'boat', FILE)) };
}

const header = 'Metadata-Version: 2.1\nName: boat\nVersion: 1\n';

test.each<[string, readonly ZipMember[], string]>([
  ['has no METADATA', [member('boat.py', '')], 'WHEEL_METADATA_ABSENT'],
  ['has it in a folder of a folder', [member(`x/${INFO}/METADATA`, header)], 'WHEEL_METADATA_ABSENT'],
  [
    'has two .dist-info folders',
    [member(`${INFO}/METADATA`, header), member('oar-1.dist-info/METADATA', header)],
    'WHEEL_METADATA_TWICE',
  ],
  [
    'has METADATA of more than 16 MiB',
    [member(`${INFO}/METADATA`, `${header}\n${'x'.repeat(17 * 2 ** 20)}`)],
    'WHEEL_METADATA_TOO_LONG',
  ],
])('given a wheel that %s, when it is to be listed, then it is refused without an entry', async (_, members, code) => {
  expect(await listed(members)).toEqual({ codes: [code], entry: null });
});

test('given a readme that looks like a header, then Requires-Python comes from the header alone', async () => {
  const metadata = `${header}\nRequires-Python: <3\n`;
  const { codes, entry } = await listed([member(`${INFO}/METADATA`, metadata)]);
  expect([codes, JSON.parse(entry!.text)]).toMatchObject([[], { file: FILE, requiresPython: null }]);
});
