/** @needs registries docker compiler */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { connect } from '../../../src/adapters/docker/connection.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { createPublishedImages } from '../../../src/adapters/oci/published-images.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { openPast } from '../../../src/activities/plan/past.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { OurIndex } from '../../../src/importers/index.js';
import type { Digest } from '../../../src/model/digest.js';
import { indexPaths, type IndexEntry, type Links } from '../../../src/model/python/index-entry.js';
import { lostLink } from '../../../src/model/python/links.js';
import { aTarget } from '../publish/release.js';
import { anEntry, digest } from '../../engine/index/an-entry.js';
import { aLibrary } from '../../support/a-library.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { aStep, newHome, runBody, type BodyRun } from '../../support/run-body.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
const withEngine = engine === null ? describe.skip : describe;
const PLATFORM = 'debian-12';
const SOURCE = digest('d');

withEngine('a library of a base that moves its soname', () => {
  const docker = createDocker(() => engine);
  const suite = `moving-${process.pid}`;
  let home: string;
  let staging: TestServer;

  beforeAll(async () => {
    home = await newHome();
    staging = await startRegistry(join(home, 'registry'));
  });
  afterAll(async () => {
    for (const { RepoTags } of await connect(engine!).listImages())
      for (const name of (RepoTags ?? []).filter((one) => one.includes(suite)))
        await connect(engine!).getImage(name).remove({ force: true });
    await staging?.stop();
  });

  /** Makes the base of a period, whose libre2 has this major version. */
  async function made(since: string, major: number): Promise<BodyRun & { readonly base: Digest }> {
    const tar = await writeTinyRootfs(join(home, `${since}.tar`), ['/usr/bin/find', '/bin/cp']);
    const root = mkdtempSync(join(tmpdir(), 'slipway-moving-'));
    mkdirSync(join(root, 'usr/lib'), { recursive: true });
    for (const [name, soname] of [
      [`libre2.so.${major}.0`, `libre2.so.${major}`],
      ['libxml2.so.2.9', 'libxml2.so.2'],
    ] as const)
      copyFileSync(aLibrary({ file: name, soname }), join(root, 'usr/lib', name));
    execFileSync('tar', ['--append', '-f', tar, '-C', root, 'usr/lib']);
    const { makeBase } = makeBodies(['makeBase'], {
      ...docker,
      archives: createArchives(),
      bases: { key: async () => `${home} ${since}`, make: async () => tar },
      published: createPublishedImages(),
    });
    const service = (of: string): string | null => (of === 'staging' ? staging.address : null);
    const params = { name: suite, from: { debian: suite, packages: [], since }, oci: null };
    const run = await runBody(makeBase, aStep('makeBase', params), { home, surroundings: { service } });
    return { ...run, base: run.made.artifacts[0]!.digest };
  }

  /** Lists wheels as a publisher does. */
  async function listed(root: string, wheels: Readonly<Record<string, Partial<IndexEntry>>>): Promise<OurIndex> {
    const place = openFolder('cache', root);
    for (const [file, more] of Object.entries(wheels)) {
      await place.create(indexPaths.file(PLATFORM, 'boat', file), file);
      await place.create(indexPaths.entry(PLATFORM, 'boat', file), JSON.stringify(anEntry(file, more)));
    }
    await drawPages(place, PLATFORM, ['boat']);
    const past = openPast(
      async () => createDirectoryStore(join(home, 'store')),
      async () => null,
      async () => place,
    );
    const target = aTarget({ name: 'cache', kind: 'simple', address: root });
    return past.listed({ target, rehearsal: false }, PLATFORM);
  }

  test('given a newer base, then ABI_MOVED names the library, and planning learns which wheels link it', async () => {
    const first = await made('2026-11-12', 9);
    expect(first.made.findings).toEqual([]);
    const from = { source: SOURCE, lock: null, base: first.base };
    const second = await made('2026-11-19', 10);
    expect(second.made.findings).toMatchObject([{ code: 'ABI_MOVED', subject: suite }]);
    expect(second.made.findings![0]!.why).toContain('lacks libre2.so.9, which');
    const links: Readonly<Record<string, Links>> = {
      'boat-1-cp311-cp311-linux_x86_64.whl': { 'libre2.so.9': [] },
      'boat-2-cp311-cp311-linux_x86_64.whl': { 'libxml2.so.2': [] },
      'boat-3-py3-none-any.whl': {},
    };
    const entries = Object.entries(links).map(([file, one]) => [file, { from, links: one }] as const);
    const { wheels, rebuilds } = await listed(
      mkdtempSync(join(tmpdir(), 'slipway-moved-')),
      Object.fromEntries(entries),
    );
    const newer = rebuilds!.bases[first.base]!;
    expect(newer.now).toBe(second.base);
    expect(wheels.map((wheel) => [wheel.file, lostLink(wheel.links!, newer.lost)])).toEqual([
      ['boat-1-cp311-cp311-linux_x86_64.whl', 'libre2.so.9'],
      ['boat-2-cp311-cp311-linux_x86_64.whl', null],
      ['boat-3-py3-none-any.whl', null],
    ]);
  });
});
