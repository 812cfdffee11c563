/** @needs registries docker */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../../src/adapters/docker/connection.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Digest } from '../../../src/model/digest.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { newHome } from '../../support/run-body.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';
import { aTarget, built, codesOf, sealAndPublish, verify } from './release.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
const withEngine = engine === null ? describe.skip : describe;

withEngine('a published image', () => {
  const docker = createDocker(() => engine);
  const talk = { log: () => undefined, signal: new AbortController().signal };
  const tags: string[] = [];
  let folder: string;
  let servers: { staging: TestServer; registry: TestServer };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-image-'));
    const [staging, registry] = await Promise.all([startRegistry(join(folder, 's')), startRegistry(join(folder, 'r'))]);
    servers = { staging, registry };
  });
  afterAll(async () => {
    const raw = connect(engine ?? 'unix:///none');
    for (const tag of tags)
      await raw
        .getImage(tag)
        .remove({ force: true })
        .catch(() => undefined);
    await Promise.all([servers.staging.stop(), servers.registry.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function staged(): Promise<Artifact> {
    const local = `slipway/test-publish:${process.pid}`;
    const pushed = `${servers.staging.address}/skiff:1`;
    tags.push(local, pushed);
    await docker.engine.importTar(
      await writeTinyRootfs(join(folder, 'base.tar')),
      { reference: local, labels: {}, platform: null },
      talk,
    );
    await docker.engine.tag(local, pushed);
    const digest = (await docker.engine.push(pushed, talk)) as Digest;
    return { digest, kind: 'image', name: 'skiff', size: 0, labels: { repository: 'skiff' } };
  }

  test('given a published image, then the verification line runs in it, and its failure is reported', async () => {
    const home = await newHome();
    const image = await staged();
    const target = aTarget({
      name: 'hub',
      kind: 'oci',
      address: servers.registry.address,
      repository: 'example/skiff',
    });
    const surroundings = { service: (name: string) => (name === 'staging' ? servers.staging.address : null) };
    const { result } = await sealAndPublish(home, target, built([image], 'images/skiff'), { surroundings });
    tags.push(`${servers.registry.address}/example/skiff@${image.digest}`);
    const { made, log } = await verify(home, target, result, { surroundings, run: 'echo afloat' }, docker.runner);
    expect(made.note).toBe('example/skiff:1.2.3 pulled and run');
    expect(log).toContain('afloat');
    const failed = verify(home, target, result, { surroundings, run: 'exit 3' }, docker.runner);
    expect(codesOf(await failed.catch((thrown: unknown) => thrown))).toEqual(['VERIFY_FAILED']);
  });
});
