import { copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPromoteImage } from '../../src/activities/images/assemble-index.js';
import type { ImagePorts } from '../../src/activities/images/ports.js';
import type { Body } from '../../src/activities/work.js';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../src/adapters/home-keys/open.js';
import { provedStore } from '../../src/adapters/home-keys/proved-store.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { records } from '../../src/model/run-folder.js';
import { aTarget } from '../activities/publish/release.js';
import { aStep, newHome, RUN, runBody } from '../support/run-body.js';

/** One store as two workers see it: control, and a builder that has the keys of a builder. */
async function twoWorkers() {
  const home = await newHome();
  const [own, copied] = [join(home, 'keys'), join(home, 'builder-keys')];
  makeHomeKeys(own);
  mkdirSync(copied);
  for (const file of ['worker.key', 'control.pub']) copyFileSync(join(own, file), join(copied, file));
  const bare = createDirectoryStore(join(home, 'store'));
  const [control, builder] = [own, copied].map((keys) => provedStore(bare, openHomeKeys(keys)));
  return { home, control: control!, builder: builder! };
}

const OURS = { id: 'ours', bytes: 'sha256:ours' };
const THEIRS = { id: 'a deployment of other bytes', bytes: 'sha256:ours' };

test.each(['publish/central', 'point/hub/latest'])(
  '[H7] given a builder that writes the memory of %s, then control quarantines it and stores its own',
  async (id) => {
    const { home, control, builder } = await twoWorkers();
    await builder.create(records.memory(RUN, id, 'deployment-1'), { value: THEIRS });
    const body: Body<'signFiles'> = async (work) => {
      const recalled = await work.recall('deployment-1');
      const kept = await work.remember('deployment-1', OURS);
      return { artifacts: [], facts: { recalled, kept } as never, note: '' };
    };
    const step = aStep('signFiles', {} as never, { id });
    const { made } = await runBody(body, step, { home, surroundings: { store: control } });
    expect(made.facts).toEqual({ recalled: null, kept: OURS });
  },
);

test('given a builder that writes the memory of its own step, then all workers accept it', async () => {
  const { control, builder } = await twoWorkers();
  const name = records.memory(RUN, 'deps/build', 'drift');
  await builder.create(name, { value: 1 });
  expect(await control.read(name)).toEqual({ value: 1 });
});

test("[H7] given a builder that writes another digest for a promoted image, then the release file's digest is used", async () => {
  const { home, control, builder } = await twoWorkers();
  const [pinned, other] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`] as const;
  await builder.create(records.memory(RUN, 'images/skiff', 'digest'), { value: other });
  const staged = { digest: other, size: 1, platforms: [], index: false };
  const ports = {
    published: { digestOf: async () => pinned, bring: async () => undefined },
    registry: { find: async () => staged, read: async () => staged },
  } as unknown as Pick<ImagePorts, 'published' | 'registry'>;
  const from = aTarget({ kind: 'oci', address: 'http://127.0.0.1:9', repository: 'example/skiff' });
  const params = { project: 'skiff', version: '1.0', from, tag: '1.0-rc.1', digest: pinned, tags: ['1.0'] };
  const step = aStep('promoteImage', params, { id: 'images/skiff' });
  const ran = runBody(createPromoteImage(ports), step, {
    home,
    surroundings: { store: control, service: () => '127.0.0.1:9' },
  });
  await expect(ran).rejects.toMatchObject({ first: { code: 'PROMOTION_DIFFERS' } });
});

test('[M2] given a record of a terabyte in the store, then its reader refuses it by its length', async () => {
  const home = await newHome();
  const path = join(home, 'store', 'records', 'runs', RUN, 'results', 'wheels', 'skiff.json');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{');
  truncateSync(path, 2 ** 40);
  const reading = createDirectoryStore(join(home, 'store')).read(records.result(RUN, 'wheels/skiff'));
  await expect(reading).rejects.toMatchObject({ first: { code: 'RECORD_TOO_LONG', class: 'denied' } });
});
