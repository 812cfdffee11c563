/** @needs registries tools */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { objectPath } from '../../../src/adapters/store/objects.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { openPast } from '../../../src/activities/plan/past.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { IndexWriter } from '../../../src/activities/index/ports.js';
import { restore } from '../../../src/activities/index/restore.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Restored } from '../../../src/model/index-writer.js';
import type { Step } from '../../../src/model/plan.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import type { Target } from '../../../src/model/target.js';
import { records } from '../../../src/model/run-folder.js';
import { digest } from '../../engine/index/an-entry.js';
import { DIGEST, importLists, rowTexts } from '../../importers/wheel-list/import-lists.js';
import { snapshot } from '../index/an-index.js';
import { aWheel, wheelName, type WheelSaid } from '../../support/a-wheel.js';
import { startWheelIndex } from '../../support/registries.js';
import { aResult, aStep, anArtifact, newHome, runBody, RUN, sha256, type BodyRun } from '../../support/run-body.js';
import { aTarget, built } from './release.js';

const PLATFORM = 'debian-12';
const tools = join(process.cwd(), '.tools', 'bin');
const run = promisify(execFile);
const storeOf = (home: string) => createDirectoryStore(join(home, 'store'));

/** An index in a folder, and one home that publishes into it. */
async function anIndex(root = mkdtempSync(join(tmpdir(), 'slipway-rebuild-'))) {
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

const wheelIn = async (home: string, said: WheelSaid = {}): Promise<Artifact> =>
  anArtifact(home, wheelName({ python: 'py3', ...said }), await aWheel({ python: 'py3', ...said }), { kind: 'wheel' });

/** Wheels of a folder's page, and what stands below it, without times. */
const textsIn = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(snapshot(root)).map(([path, text]) => [path, text.replace(/^\S+ /, '')]));

let served: Awaited<ReturnType<typeof startWheelIndex>> | null = null;
afterAll(() => served?.stop());

describe('given a listed wheel', () => {
  test('when it is built again with the same bytes, then no file changes, and the store says from what it was built', async () => {
    const { home, root, publish, store } = await anIndex();
    const wheel = await wheelIn(home);
    await publish(wheel);
    const before = snapshot(root);
    await publish(wheel, { base: 'b', epoch: 2, run: 'another-run' });
    expect(snapshot(root)).toEqual(before);
    const [confirmed] = await store.list(records.confirmed(wheel.digest));
    expect(await store.read(confirmed!)).toEqual({ source: null, base: digest('b'), epoch: 2, run: 'another-run' });
  });

  test('when it is published again from the same base and epoch, then nothing is recorded', async () => {
    const { home, publish, store } = await anIndex();
    const wheel = await wheelIn(home);
    await publish(wheel);
    await publish(wheel, { run: 'another-run' });
    expect(await store.list(records.confirmed(wheel.digest))).toEqual([]);
  });

  test('when one with a build number is published, then both are listed, and pip and uv take the higher number', async () => {
    served = await startWheelIndex(await newHome());
    const { home, publish } = await anIndex(served.root);
    await publish(await wheelIn(home, { code: 'built = 0\n' }));
    const tagged = wheelName({ python: 'py3' }).replace('boat-3.0-', 'boat-3.0-1-');
    const again = await aWheel({ python: 'py3', code: 'built = 1\n' });
    await publish(await anArtifact(home, tagged, again, { kind: 'wheel' }));
    const installers = [
      [join(tools, 'python'), '-m', 'pip', 'install', '--isolated', '--no-cache-dir'],
      [join(tools, 'uv'), 'pip', 'install', '--no-config', '--no-cache', '--python', join(tools, 'python')],
    ];
    for (const [program, ...line] of installers) {
      const into = mkdtempSync(join(tmpdir(), 'slipway-into-'));
      const from = ['--index-url', `${served.address}${PLATFORM}/simple/`, '--target', into, '--no-deps', 'boat==3.0'];
      await run(program!, [...line, ...from]);
      expect(readFileSync(join(into, 'boat', '__init__.py'), 'utf8')).toBe('built = 1\n');
    }
  });
});

describe('given a listed wheel that was built from another sdist than the index upstream has', () => {
  /** Row and entry of the wheel in a plan of now. */
  async function judged({ root, place, store }: Pick<Awaited<ReturnType<typeof anIndex>>, 'root' | 'place' | 'store'>) {
    const past = openPast(
      async () => store,
      async () => null,
      async () => place,
    );
    const target = aTarget({ name: 'cache', kind: 'simple', address: root });
    const { wheels, rebuilds } = await past.listed({ target, rehearsal: false }, PLATFORM);
    const lists = { git: 'requirements', file: 'uc.txt', rows: [{ branch: 'master', for: { [PLATFORM]: ['cp311'] } }] };
    const imported = importLists(lists, {
      branches: { master: { 'uc.txt': 'boat==3.0\n' } },
      index: { boat: ['boat-3.0.tar.gz'] },
      ours: { [PLATFORM]: wheels },
      ...(rebuilds && { rebuilds }),
    });
    const entry = imported.entries.find(({ section }) => section !== 'sources')?.entry;
    return { row: rowTexts(imported)[0], again: entry?.['again'] };
  }
  // `importLists` has this digest for each sdist.
  const now = { source: DIGEST[0]!, run: 'another-run' };

  test('when it is built again with other bytes, then once, under the next build number', async () => {
    const index = await anIndex();
    const first = await wheelIn(index.home, { code: 'built = 0\n' });
    await index.publish(first, { source: '1' });
    const { row, again } = await judged(index);
    expect(row).toContain(': build: ours was built from another boat-3.0.tar.gz');
    expect(again).toMatchObject([{ file: first.name, digest: first.digest, build: 1 }]);
    const tagged = first.name.replace('boat-3.0-', 'boat-3.0-1-');
    const bytes = await aWheel({ python: 'py3', code: 'built = 1\n' });
    await index.publish(await anArtifact(index.home, tagged, bytes, { kind: 'wheel' }), now);
    expect((await judged(index)).row).toContain(`: here: ${tagged}`);
  });

  test('when it is built again with its bytes, then it is confirmed, and not built once more', async () => {
    const index = await anIndex();
    const wheel = await wheelIn(index.home);
    await index.publish(wheel, { source: '1' });
    await index.publish(wheel, now);
    expect((await judged(index)).row).toContain(`: here: ${wheel.name}`);
  });
});

describe('given an index whose folder is lost', () => {
  test('when its wheels are restored, then every byte is as before', async () => {
    const { home, root, publish, restored } = await anIndex();
    const wheels = [await wheelIn(home), await wheelIn(home, { version: '4.0' })];
    for (const wheel of wheels) await publish(wheel);
    const before = textsIn(root);
    rmSync(join(root, PLATFORM), { recursive: true });
    expect((await restored(...wheels)).map(({ state, why }) => [state, why])).toEqual([
      ['restored', null],
      ['restored', null],
    ]);
    expect(textsIn(root)).toEqual(before);
    expect((await restored(...wheels)).map(({ state }) => state)).toEqual(['there', 'there']);
  });

  test('when the store lacks a wheel, or the index has other bytes, then each is named with the reason', async () => {
    const { home, root, publish, restored, store } = await anIndex();
    const [gone, other, sound] = [
      await wheelIn(home),
      await wheelIn(home, { version: '4.0' }),
      await wheelIn(home, { version: '5.0' }),
    ];
    for (const wheel of [gone, other, sound]) await publish(wheel);
    for (const folder of ['files', 'entries', 'simple']) rmSync(join(root, PLATFORM, folder), { recursive: true });
    rmSync(objectPath(join(home, 'store'), gone.digest));
    const taken = join(root, PLATFORM, 'files/boat', other.name);
    await openFolder('cache', root).create(`${PLATFORM}/files/boat/${other.name}`, 'other bytes');
    expect(await store.has(gone.digest)).toBe(false);
    const rows = await restored(gone, other, sound);
    expect(rows.map(({ file, state }) => [file, state])).toEqual([
      [gone.name, 'lost'],
      [other.name, 'differs'],
      [sound.name, 'restored'],
    ]);
    expect(rows.map(({ why }) => why)).toEqual([
      expect.stringContaining('sha256:'),
      expect.stringContaining('and its entry said'),
      null,
    ]);
    expect(readFileSync(taken, 'utf8')).toBe('other bytes');
  });

  test('when a wheel was removed from it before, then it stays away', async () => {
    const { home, root, publish, restored } = await anIndex();
    const wheel = await wheelIn(home);
    await publish(wheel);
    rmSync(join(root, PLATFORM), { recursive: true });
    const gone = { slipway: 1, file: wheel.name, state: 'removed', by: 'ann', because: 'pruned', review: null };
    const path = indexPaths.goneFile(PLATFORM, 'boat', wheel.name);
    await openFolder('cache', root).create(path, JSON.stringify(gone));
    expect(await restored(wheel)).toEqual([]);
  });
});
