/** @long @needs registries docker */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { BaseTars } from '../../../src/activities/images/ports.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createBaseTars } from '../../../src/adapters/debian/bases.js';
import { connect } from '../../../src/adapters/docker/connection.js';
import { whyNotEmulated } from '../../../src/adapters/docker/emulation.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { home as sharedHome } from '../../../src/adapters/home.js';
import { createPublishedImages } from '../../../src/adapters/oci/published-images.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { enableEmulation } from '../../../src/services/catalog/docker.js';
import type { Params } from '../../../src/model/params.js';
import { aPlan, aStep, newHome, runBody, sha256 } from '../../support/run-body.js';
import type { BodyRun } from '../../support/run-body.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';
import { aTarget, sealAndPublish, verify } from '../publish/release.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine, or it is itself an arm64 one.
const withEngine = engine === null || process.arch !== 'x64' ? describe.skip : describe;
const OCI = { 'linux-x86_64': 'linux/amd64', 'linux-aarch64': 'linux/arm64' } as const;
type Platform = keyof typeof OCI;
const HOST = 'linux-x86_64';
const FOREIGN = 'linux-aarch64';
/** The base is built from nothing; what runs when it is built runs under emulation. */
const DOCKERFILE = 'ARG BASE\nFROM ${BASE}\nRUN uname -m > /machine\n';

withEngine('an image for two architectures', () => {
  const docker = createDocker(() => engine);
  const name = `two-${process.pid}`;
  const never = new AbortController().signal;
  let home: string;
  let staging: TestServer;
  let hub: TestServer;
  const images: Partial<Record<Platform, BodyRun>> = {};
  let index: BodyRun;

  const programs = () => createPrograms({ running: join(home, 'running') });
  /** This machine's own is tiny; the other's is made once a machine, as a release does it. */
  const bases = (): BaseTars => {
    const real = createBaseTars(programs(), join(sharedHome(), 'cache', 'bases'));
    const own = (oci: string | null) => oci === OCI[HOST];
    return {
      key: async (base, env) => (own(base.oci) ? `tiny ${home}` : real.key(base, env)),
      make: async (base, env, talk) =>
        own(base.oci) ? writeTinyRootfs(join(home, 'base.tar')) : real.make(base, env, talk),
    };
  };
  const bodies = () =>
    makeBodies(['makeBase', 'buildImage', 'assembleIndex', 'promoteImage'], {
      ...docker,
      bases: bases(),
      archives: createArchives(),
      published: createPublishedImages(),
    });
  const around = () => ({
    home,
    surroundings: { service: (service: string) => (service === 'staging' ? staging.address : null) },
  });
  const base = (platform: Platform) =>
    runBody(
      bodies().makeBase,
      aStep(
        'makeBase',
        { name, from: { debian: 'bookworm', packages: [] }, oci: OCI[platform] },
        { id: `bases/${name}/${platform}`, axes: { platform } },
      ),
      around(),
    );
  const image = async (platform: Platform) => {
    const made = await base(platform);
    const params: Params['buildImage'] = {
      ...{ project: name, version: '1.2.3', platform, oci: OCI[platform], base: made.result.step },
      ...{ dockerfile: 'Dockerfile', args: {}, labels: {}, tags: [] },
    };
    const bundle = [{ path: 'Dockerfile', digest: sha256(DOCKERFILE), size: DOCKERFILE.length, executable: false }];
    return runBody(
      bodies().buildImage,
      aStep('buildImage', params, { id: `images/${name}/${platform}`, axes: { platform }, files: [''] }),
      {
        ...around(),
        inputs: [made.result],
        files: { Dockerfile: DOCKERFILE },
        plan: aPlan({ bundle }),
        epoch: '1735689600',
      },
    );
  };
  const child = (platform: Platform, oci: string = OCI[platform]) => ({
    step: `images/${name}/${platform}`,
    platform: oci,
  });
  const assemble = (children: Params['assembleIndex']['children'], more: Partial<Params['assembleIndex']> = {}) =>
    runBody(
      bodies().assembleIndex,
      aStep(
        'assembleIndex',
        { project: name, version: '1.2.3', children, dropped: [], tags: [], ...more },
        { id: `indexes/${name}` },
      ),
      { ...around(), inputs: Object.values(images).map(({ result }) => result) },
    );
  const hubTarget = () => aTarget({ name: 'hub', kind: 'oci', address: hub.address, repository: `example/${name}` });
  const promote = (tag: string, from: TestServer, digest: string | null = null) =>
    runBody(
      bodies().promoteImage,
      aStep(
        'promoteImage',
        { project: name, version: '2.0.0', from: hubTarget(), tag, digest, tags: [] },
        { id: `images/${name}` },
      ),
      { ...around(), surroundings: { service: (service) => (service === 'staging' ? from.address : null) } },
    );
  const machineIn = (of: BodyRun, run = 'cat /machine; uname -m') =>
    runBody(
      makeBodies(['runTest'], { programs: programs(), archives: createArchives(), containers: docker.containers })
        .runTest,
      aStep(
        'runTest',
        { in: 'image', run, env: {}, python: null, expect: 'aarch64', result: null, artifacts: [] },
        { id: 'tests/image' },
      ),
      { ...around(), inputs: [of.result] },
    );

  beforeAll(async () => {
    await enableEmulation(process.getuid?.() === 0);
    home = await mkdtemp(join(tmpdir(), 'slipway-two-'));
    [staging, hub] = await Promise.all([startRegistry(join(home, 'staging')), startRegistry(join(home, 'hub'))]);
    images[HOST] = await image(HOST);
    images[FOREIGN] = await image(FOREIGN);
    index = await assemble([child(HOST), child(FOREIGN)]);
  });
  afterAll(async () => {
    const raw = connect(engine!);
    const ours = (await raw.listImages()).flatMap(({ RepoTags, RepoDigests }) => [
      ...(RepoTags ?? []),
      ...(RepoDigests ?? []),
    ]);
    for (const tag of ours.filter((one) => one.includes(name)))
      await raw
        .getImage(tag)
        .remove({ force: true })
        .catch(() => undefined);
    await Promise.all([staging?.stop(), hub?.stop()]);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  test('given emulation, then the machine can run images of the other architecture', async () => {
    expect(await whyNotEmulated('linux/arm64')).toBeNull();
    expect(await whyNotEmulated('linux/none')).toContain('not registered');
  });

  test('given two platforms, then each image has its platform, and a command of its Dockerfile ran on it', async () => {
    const [, arm] = [images[HOST]!, images[FOREIGN]!].map(({ made }) => made.artifacts[0]!);
    expect(arm!.labels).toMatchObject({ oci: 'linux/arm64', platform: FOREIGN, repository: name });
    expect(await docker.registry.read(staging.address, name, arm!.digest, never)).toMatchObject({
      platforms: ['linux/arm64'],
    });
    const tested = await machineIn(images[FOREIGN]!);
    expect(tested.log).toContain('aarch64\naarch64\n');
  });

  test('given both images, then the index holds them, has the same bytes again, and is found in staging', async () => {
    expect(index.made).toMatchObject({
      facts: { platforms: ['linux/amd64', 'linux/arm64'], without: [] },
      reused: false,
    });
    const again = await assemble([child(FOREIGN), child(HOST)]);
    expect(again.made.artifacts[0]!.digest).toBe(index.made.artifacts[0]!.digest);
    expect(again.made.reused).toBe(true);
    const seen = await docker.registry.read(staging.address, name, index.made.artifacts[0]!.digest, never);
    expect(seen).toMatchObject({ platforms: ['linux/amd64', 'linux/arm64'] });
  });

  test('given an image that staging lost and one of another platform, then both are reported together', async () => {
    const swapped = [child(HOST, 'linux/arm64'), child(FOREIGN)];
    await expect(assemble(swapped.slice(0, 1))).rejects.toThrow('INDEX_CHILD_DIFFERS');
    const lost = images[FOREIGN]!;
    const gone = { ...lost.made.artifacts[0]!, digest: sha256('nowhere') };
    images[FOREIGN] = { ...lost, result: { ...lost.result, artifacts: [gone] } };
    const both = assemble([child(HOST, 'linux/s390x'), child(FOREIGN)]);
    await expect(both).rejects.toMatchObject({
      problems: [{ code: 'INDEX_CHILD_DIFFERS' }, { code: 'INDEX_CHILD_MISSING' }],
    });
    images[FOREIGN] = lost;
  });

  test("given a base with several platforms, then each platform's image is taken when asked for", async () => {
    const from = { image: `${staging.address}/${name}@${index.made.artifacts[0]!.digest}` };
    for (const platform of [FOREIGN, HOST] as const) {
      const params = { name: `${name}/given`, from, oci: OCI[platform] };
      const { made } = await runBody(bodies().makeBase, aStep('makeBase', params, { axes: { platform } }), around());
      const { repository } = made.artifacts[0]!.labels;
      expect(await docker.registry.read(staging.address, repository!, made.artifacts[0]!.digest, never)).toMatchObject({
        platforms: [OCI[platform]],
      });
    }
  });

  test('given a dropped image, then the index names it; an index without images is refused', async () => {
    const dropped = [{ platform: 'linux/s390x', because: 'nobody serves it' }];
    const part = await assemble([child(HOST), { step: `images/${name}/gone`, platform: 'linux/riscv64' }], { dropped });
    expect(part.made.facts).toEqual({ platforms: ['linux/amd64'], without: ['linux/s390x', 'linux/riscv64'] });
    await expect(assemble([{ step: 'images/x/gone', platform: 'linux/riscv64' }])).rejects.toThrow(
      'INDEX_CHILD_MISSING',
    );
  });

  test('given a published index, then each platform can be pulled from the target and run', async () => {
    const target = hubTarget();
    const published = await sealAndPublish(home, target, index.result, around());
    expect(published.made.facts).toMatchObject({
      published: [{ name: `example/${name}:1.2.3`, digest: index.made.artifacts[0]!.digest }],
    });
    for (const { made } of Object.values(images))
      expect(
        await docker.registry.find(hub.address, `example/${name}`, made.artifacts[0]!.digest, never),
      ).not.toBeNull();
    const { made, log } = await verify(
      home,
      target,
      published.result,
      { ...around(), inputs: [published.result, index.result], run: 'cat /machine' },
      docker.runner,
    );
    expect(made.note).toBe(`example/${name}:1.2.3 pulled and run for linux/amd64; pulled and run for linux/arm64`);
    expect(log).toMatch(/x86_64\n[^]*aarch64\n/);
  });

  test('given a release candidate, then it is promoted by digest with all platforms; another digest is refused', async () => {
    const digest = index.made.artifacts[0]!.digest;
    const other = await startRegistry(join(home, 'other'));
    const promoted = await promote('1.2.3', other, digest);
    expect(promoted.made).toMatchObject({
      artifacts: [{ digest, kind: 'image', labels: { index: 'linux/amd64,linux/arm64', repository: name } }],
      reused: false,
    });
    const surroundings = { service: (service: string) => (service === 'staging' ? other.address : null) };
    const final = { surroundings, plan: { release: { name: 'skiff', version: '2.0.0' } } };
    await sealAndPublish(home, hubTarget(), promoted.result, final);
    expect((await docker.registry.find(hub.address, `example/${name}`, '2.0.0', never))?.digest).toBe(digest);
    expect((await promote('1.2.3', other)).made.reused).toBe(true);
    await expect(promote('1.2.4', other)).rejects.toThrow('PROMOTION_ABSENT');
    await expect(promote('1.2.3', other, sha256('another'))).rejects.toThrow('PROMOTION_DIFFERS');
    await other.stop();
  });

  test('given a version that is an index already, then another index is refused', async () => {
    const part = await assemble([child(HOST)]);
    const digests = [index, part].map(({ made }) => made.artifacts[0]!.digest.slice('sha256:'.length, 15));
    const { surroundings } = around();
    const again = sealAndPublish(await newHome(), hubTarget(), part.result, { surroundings });
    const error = (await again.catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('OTHER_BYTES');
    for (const digest of digests) expect(error.message).toContain(digest);
  });
});
