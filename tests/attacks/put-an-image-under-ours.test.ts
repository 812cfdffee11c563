/** @needs registries docker @slow */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { connect } from '../../src/adapters/docker/connection.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { createPublishedImages } from '../../src/adapters/oci/published-images.js';
import type { Result } from '../../src/model/result.js';
import { pushForeignImage } from '../support/a-foreign-image.js';
import { startRegistry, type TestServer } from '../support/registries.js';
import { aPlan, aStep, runBody, type BodyRun } from '../support/run-body.js';
import { testEngine, writeTinyRootfs } from '../support/tiny-rootfs.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
(engine === null ? describe.skip : describe)('[D2] another user puts an image into staging under our tag', () => {
  const docker = createDocker(() => engine);
  const name = `under-ours-${process.pid}`;
  const servers: TestServer[] = [];
  let home: string;
  let staging: TestServer;

  const around = (known?: Result) => ({
    ...{ home, ...(known && { known }) },
    surroundings: { service: (service: string) => (service === 'staging' ? staging.address : null) },
  });
  const bodies = () =>
    makeBodies(['makeBase', 'buildImage'], {
      ...docker,
      bases: { key: async () => `tiny ${home}`, make: () => writeTinyRootfs(join(home, 'base.tar')) },
      archives: createArchives(),
      published: createPublishedImages(),
    });
  const base = (known?: Result): Promise<BodyRun> => {
    const params = { name, from: { debian: 'tiny', packages: [] }, oci: null };
    return runBody(bodies().makeBase, aStep('makeBase', params, { id: `bases/${name}` }), around(known));
  };
  const image = (known?: Result): Promise<BodyRun> => {
    const params = {
      ...{ project: name, version: '1.2.3', platform: 'linux-x86_64', oci: null, base: null, dockerfile: 'Dockerfile' },
      ...{ args: {}, labels: {}, tags: [] },
    };
    const step = aStep('buildImage', params, { id: `images/${name}`, files: [''] });
    const files = { Dockerfile: 'FROM scratch\nCOPY files/ /files/\n' };
    return runBody(bodies().buildImage, step, { ...around(known), files, plan: aPlan({}), epoch: '1735689600' });
  };
  const newStaging = async (): Promise<void> => {
    staging = await startRegistry(join(home, `registry-${servers.length}`));
    servers.push(staging);
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-under-ours-'));
  });
  afterAll(async () => {
    for (const { RepoTags } of await connect(engine!).listImages())
      for (const tag of (RepoTags ?? []).filter((one) => one.includes(name)))
        await connect(engine!).getImage(tag).remove({ force: true });
    for (const server of servers) await server.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  test.each([
    ['a base', `bases/${name}`, base],
    ['an image', name, image],
  ])('given %s of ours that is deleted there, when the commit runs again, then ours is used', async (_, at, make) => {
    await newStaging();
    const ours = await make();
    const { tags } = (await (await fetch(`http://${staging.address}/v2/${at}/tags/list`)).json()) as { tags: string[] };
    await newStaging();
    const theirs = await pushForeignImage(staging.address, at, tags[0]!);
    for (const known of [ours.result, undefined]) {
      const again = await make(known);
      expect(again.made.artifacts[0]!.digest).toBe(ours.made.artifacts[0]!.digest);
      expect(again.made.artifacts[0]!.digest).not.toBe(theirs);
    }
  });
});
