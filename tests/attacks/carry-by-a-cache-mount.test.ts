/** @needs registries docker */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { connect } from '../../src/adapters/docker/connection.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { createPublishedImages } from '../../src/adapters/oci/published-images.js';
import { startRegistry, type TestServer } from '../support/registries.js';
import { aPlan, aStep, runBody, sha256, type BodyRun } from '../support/run-body.js';
import { testEngine, writeTinyRootfs } from '../support/tiny-rootfs.js';

const engine = testEngine();
const START = 'ARG BASE\nFROM ${BASE}\n';
/** Fails if an earlier build left anything in the cache mount, then leaves something. */
const CARRY =
  'RUN --mount=type=cache,target=/c,id=shared if [ -e /c/poison ]; then echo carried; exit 3; fi; echo x > /c/poison\n';

// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
(engine === null ? describe.skip : describe)('a step poisons a cache mount', () => {
  const docker = createDocker(() => engine);
  const name = `carries-${process.pid}`;
  let home: string;
  let staging: TestServer;
  let base: BodyRun;

  const around = () => ({
    ...{ home, plan: aPlan({}), epoch: '1735689600' },
    surroundings: { service: (service: string) => (service === 'staging' ? staging.address : null) },
  });
  const bodies = () =>
    makeBodies(['makeBase', 'buildImage'], {
      ...docker,
      bases: { key: async () => `tiny ${home}`, make: () => writeTinyRootfs(join(home, 'base.tar')) },
      archives: createArchives(),
      published: createPublishedImages(),
    });
  const build = (text: string, args = {}) => {
    const dockerfile = `${START}${text}`;
    const file = { path: 'Dockerfile', digest: sha256(dockerfile), size: dockerfile.length, executable: false };
    const step = aStep(
      'buildImage',
      {
        ...{ project: name, version: '1.2.3', platform: 'linux-x86_64', oci: null, base: `bases/${name}` },
        ...{ dockerfile: 'Dockerfile', args, labels: {}, tags: [] },
      },
      { id: `images/${name}`, files: [''] },
    );
    return runBody(bodies().buildImage, step, {
      ...around(),
      ...{ plan: aPlan({ bundle: [file] }), inputs: [base.result], files: { Dockerfile: dockerfile } },
    });
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-carries-'));
    staging = await startRegistry(join(home, 'registry'));
    const made = aStep(
      'makeBase',
      { name, from: { debian: 'tiny', packages: [] }, oci: null },
      { id: `bases/${name}` },
    );
    base = await runBody(bodies().makeBase, made, around());
  });
  afterAll(async () => {
    for (const { RepoTags } of await connect(engine!).listImages())
      for (const tag of (RepoTags ?? []).filter((one) => one.includes(name)))
        await connect(engine!).getImage(tag).remove({ force: true });
    await staging?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  test('when other steps mount the cache of that id, then it is empty', async () => {
    for (const more of ['', 'LABEL step=other\n', 'ENV STEP=third\n']) {
      const made = await build(`${more}${CARRY}`);
      expect(made.log).toContain('RUN --mount=type=cache');
    }
  });

  test('within one build a cache mount keeps what an earlier line left', async () => {
    await build(`${CARRY}RUN --mount=type=cache,target=/c,id=shared [ -e /c/poison ]\n`);
  });

  test.each([
    ['ARG BUILDKIT_CACHE_MOUNT_NS\n', {}, 'Dockerfile:3'],
    ['', { BUILDKIT_CACHE_MOUNT_NS: 'mine' }, `images.${name}.args`],
  ])('when it asks for the name that keeps the caches apart (%j %j), then it is refused', async (text, args, place) => {
    await expect(build(text, args)).rejects.toMatchObject({
      first: { code: 'CACHE_NAMESPACE_OWNED', message: expect.stringContaining(place) as string },
    });
  });
});
