import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { openPast } from '../../../src/activities/plan/past.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { IndexWriter } from '../../../src/activities/index/ports.js';
import { restore } from '../../../src/activities/index/restore.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Epochs } from '../../../src/model/epochs.js';
import type { Restored } from '../../../src/model/index-writer.js';
import type { Step } from '../../../src/model/plan.js';
import type { Target } from '../../../src/model/target.js';
import { records } from '../../../src/model/run-folder.js';
import { digest } from '../../engine/index/an-entry.js';
import { importLists, rowTexts } from '../../importers/wheel-list/import-lists.js';
import { aWheel, wheelName, type WheelSaid } from '../../support/a-wheel.js';
import { aResult, aStep, anArtifact, newHome, runBody, RUN, sha256, type BodyRun } from '../../support/run-body.js';
import { aTarget, built } from './release.js';

export const PLATFORM = 'debian-12';
const storeOf = (home: string) => createDirectoryStore(join(home, 'store'));

/** An index in a folder, and one home that publishes into it. */
export async function anIndex(root = mkdtempSync(join(tmpdir(), 'slipway-rebuild-'))) {
  const home = await newHome();
  const place = openFolder('cache', root);
  const draw = (names: readonly string[]) =>
    drawPages(
      place,
      PLATFORM,
      names.map((name) => name.split('/')[1]!),
    );
  const writer: IndexWriter = { list: async (_, { names }) => ({ findings: await draw(names) }) };
  const listing = { archives: createArchives(), writer };
  const ports = { targets: createTargets(), listing, images: null, readBackWaitsMs: [20, 50] };
  const { publishArtifacts } = makeBodies(['publishArtifacts'], ports);
  const extra = { kind: 'simple', reads: null, endpoint: null } as const;
  const target: Target = aTarget({ name: 'cache', kind: 'simple', address: root, extra });

  /** Publishes a wheel as a run does behind its build. */
  const publish = async (
    wheel: Artifact,
    { base = 'a', epoch = 0, run: id = RUN, source = '' } = {},
  ): Promise<BodyRun> => {
    const build = built([wheel], 'wheels/boat');
    const image = { kind: 'image', name: 'base', digest: digest(base), size: 1, labels: {} } as const;
    const sdist = { ...image, kind: 'sdist', name: 'boat-3.0.tar.gz', digest: digest(source) } as const;
    const artifacts = [image, ...(source === '' ? [] : [sdist])];
    const made = aResult({ id: 'bases/debian-12', kind: 'makeBase' }, { artifacts });
    const around = { home, inputs: [build], sealedAs: null, run: id };
    const planned = {
      id: build.step,
      kind: 'buildWheel',
      needs: [made.step],
      wants: [],
      params: { overlay: null },
      ...(epoch > 0 && { epoch }),
    };
    const steps = [planned as unknown as Step];
    const params = { target, of: [build.step], tags: [PLATFORM], when: 'built' } as const;
    const step = aStep('publishArtifacts', params, { id: 'publish/cache/wheels.boat' });
    await storeOf(home).create(records.result(id, made.step), made);
    return runBody(publishArtifacts, step, { ...around, plan: { steps } });
  };
  const restored = async (...wheels: readonly Artifact[]): Promise<readonly Restored[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-restored-'));
    const lost = { address: sha256(root), platforms: [PLATFORM], wheels: wheels.map((one) => one.digest) };
    const rows = await restore({ place, store: storeOf(home), folder }, lost);
    await draw(['debian-12/boat']);
    return rows;
  };
  return { home, root, place, publish, restored, store: storeOf(home) };
}

export const wheelIn = async (home: string, said: WheelSaid = {}): Promise<Artifact> =>
  anArtifact(home, wheelName({ python: 'py3', ...said }), await aWheel({ python: 'py3', ...said }), { kind: 'wheel' });

/** Row and entry of the wheel in a plan of now. */
export async function judged(
  { root, place, store }: Pick<Awaited<ReturnType<typeof anIndex>>, 'root' | 'place' | 'store'>,
  epochs: Epochs = {},
) {
  const past = openPast(
    async () => store,
    async () => null,
    async () => place,
  );
  const target = aTarget({ name: 'cache', kind: 'simple', address: root });
  const { wheels, former = [], rebuilds } = await past.listed({ target, rehearsal: false }, PLATFORM);
  const lists = { git: 'requirements', file: 'uc.txt', rows: [{ branch: 'master', for: { [PLATFORM]: ['cp311'] } }] };
  const imported = importLists(lists, {
    branches: { master: { 'uc.txt': 'boat==3.0\n' } },
    index: { boat: ['boat-3.0.tar.gz'] },
    ours: { [PLATFORM]: wheels },
    former: { [PLATFORM]: former },
    ...(rebuilds && { rebuilds }),
    epochs,
  });
  const entry = imported.entries.find(({ section }) => section !== 'sources')?.entry;
  return { row: rowTexts(imported)[0], again: entry?.['again'] };
}
