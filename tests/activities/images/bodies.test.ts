/** @needs registries docker */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { BaseTars } from '../../../src/activities/images/ports.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { connect } from '../../../src/adapters/docker/connection.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { createPublishedImages } from '../../../src/adapters/oci/published-images.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import type { Digest } from '../../../src/model/digest.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { aPlan, aResult, aStep, anArtifact, runBody, sha256 } from '../../support/run-body.js';
import type { BodyRun } from '../../support/run-body.js';
import { archive } from '../../support/tiny-projects.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
const withEngine = engine === null ? describe.skip : describe;

withEngine('a base, an image and its test', () => {
  const docker = createDocker(() => engine);
  const name = `skiff-${process.pid}`;
  let home: string;
  let staging: TestServer;
  let asked = 0;
  let base: BodyRun;

  const bases: BaseTars = {
    key: async () => `tiny ${home}`,
    make: async () => {
      asked += 1;
      return writeTinyRootfs(join(home, 'base.tar'));
    },
  };
  const around = () => ({
    home,
    surroundings: { service: (service: string) => (service === 'staging' ? staging.address : null) },
  });
  const images = () =>
    makeBodies(['makeBase', 'buildImage'], {
      ...docker,
      bases,
      archives: createArchives(),
      published: createPublishedImages(),
    });
  const tests = () =>
    makeBodies(['runTest'], {
      programs: createPrograms({ running: join(home, 'running') }),
      archives: createArchives(),
      containers: docker.containers,
    });
  const baseStep = aStep(
    'makeBase',
    { name, from: { debian: 'tiny', packages: [] }, oci: null },
    { id: `bases/${name}` },
  );
  const imageStep = (more: Partial<Params['buildImage']> = {}) =>
    aStep(
      'buildImage',
      {
        project: name,
        version: '1.2.3',
        platform: 'linux-x86_64',
        oci: null,
        base: `bases/${name}`,
        dockerfile: 'Dockerfile',
        args: {},
        labels: {},
        tags: [],
        ...more,
      },
      { id: `images/${name}`, files: [''] },
    );
  const testStep = (more: Partial<Params['runTest']> = {}) =>
    aStep(
      'runTest',
      { in: 'image', run: 'true', env: {}, python: null, expect: null, result: null, artifacts: [], ...more },
      { id: 'tests/image' },
    );
  const build = async (dockerfile: string, more: { known?: Result; params?: Partial<Params['buildImage']> } = {}) => {
    const lock = await anArtifact(home, 'lock.txt', 'numpy==2\n', { kind: 'lock' });
    const inputs = [base.result, aResult({ id: 'deps/build', kind: 'compileLock' }, { artifacts: [lock] })];
    const bundle = [{ path: 'Dockerfile', digest: sha256(dockerfile), size: dockerfile.length, executable: false }];
    const options = {
      ...around(),
      inputs,
      files: { Dockerfile: dockerfile },
      plan: aPlan({ bundle }),
      epoch: '1735689600',
    };
    return runBody(images().buildImage, imageStep(more.params), {
      ...options,
      ...(more.known ? { known: more.known } : {}),
    });
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-images-'));
    staging = await startRegistry(join(home, 'registry'));
    base = await runBody(images().makeBase, baseStep, around());
  });
  afterAll(async () => {
    const raw = connect(engine!);
    for (const { RepoTags } of await raw.listImages()) {
      for (const tag of (RepoTags ?? []).filter((one) => one.includes(name))) {
        await raw
          .getImage(tag)
          .remove({ force: true })
          .catch(() => undefined);
      }
    }
    await staging?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  test('given a base that is already staged, then it is reused by digest', async () => {
    expect(base.made).toMatchObject({
      reused: false,
      artifacts: [{ kind: 'image', labels: { repository: `bases/${name}` } }],
    });
    const again = await runBody(images().makeBase, baseStep, { ...around(), known: base.result });
    expect(again.made.reused).toBe(true);
    expect(again.made.artifacts).toEqual(base.made.artifacts);
    expect(asked).toBe(1);
  });

  test('given inputs, then the image holds them and is reused from staging; other inputs make another image', async () => {
    const dockerfile = 'ARG BASE\nFROM ${BASE}\nCOPY deps/ /deps/\n';
    const first = await build(dockerfile);
    expect(first.made).toMatchObject({
      reused: false,
      artifacts: [{ kind: 'image', name, labels: { repository: name } }],
    });
    const again = await build(dockerfile, { known: first.result });
    expect(again.made).toMatchObject({ reused: true, artifacts: first.made.artifacts });
    expect(again.log).toBe(first.log);
    const changed = await build(`${dockerfile}COPY wheels/ /wheels/\n`);
    expect(changed.made.reused).toBe(false);
    expect(changed.made.artifacts[0]!.digest).not.toBe(first.made.artifacts[0]!.digest);
  });

  test('given an image that staging lost, then it is pushed again with the same digests', async () => {
    const dockerfile = 'ARG BASE\nFROM ${BASE}\nCOPY deps/ /again/\n';
    const first = await build(dockerfile);
    const before = staging;
    staging = await startRegistry(join(home, 'registry-2'));
    const pushed = await runBody(images().makeBase, baseStep, { ...around(), known: base.result });
    expect(pushed.made).toMatchObject({ reused: false, artifacts: base.made.artifacts });
    const again = await build(dockerfile, { known: first.result });
    expect(again.made).toMatchObject({ reused: false, artifacts: first.made.artifacts });
    expect(asked).toBe(1);
    await before.stop();
  });

  test('given an image as base, then its layers begin with those of that digest, whatever its tag says', async () => {
    const below = await build('ARG BASE\nFROM ${BASE}\nCOPY deps/ /below/\n');
    const raw = connect(engine!);
    const at = ({ made }: BodyRun, repository: string) =>
      `${staging.address}/${repository}@${made.artifacts[0]!.digest}`;
    const layersOf = async (reference: string) => (await raw.getImage(reference).inspect()).RootFS.Layers ?? [];
    const { RepoTags } = await raw.getImage(at(below, name)).inspect();
    const moved = RepoTags.find((tag) => tag.startsWith(staging.address))!;
    const other = await build('ARG BASE\nFROM ${BASE}\nCOPY deps/ /other/\n');
    await docker.engine.tag(at(other, name), moved);
    await docker.engine.push(moved, { log: () => undefined, signal: new AbortController().signal });

    const dockerfile = 'ARG BASE\nFROM ${BASE}\nCOPY files/ /above/\n';
    const above = await runBody(images().buildImage, imageStep({ project: `${name}-above`, base: `images/${name}` }), {
      ...around(),
      inputs: [below.result],
      files: { Dockerfile: dockerfile },
      epoch: '1735689600',
    });
    const under = await layersOf(at(below, name));
    expect(await layersOf(moved)).not.toEqual(under);
    expect((await layersOf(at(above, `${name}-above`))).slice(0, under.length)).toEqual(under);
  });

  test('given an image of the profile’s registry as base, then it is taken from there by digest', async () => {
    const { digest } = base.made.artifacts[0]!;
    const from = { image: `bases/${name}@${digest}`, registry: 'service:staging' };
    const step = aStep('makeBase', { name: `${name}-taken`, from, oci: null }, { id: `bases/${name}-taken` });
    const taken = await runBody(images().makeBase, step, around());
    expect(taken.made.artifacts).toMatchObject([{ digest, labels: { repository: `bases/${name}-taken` } }]);
  });

  test('given a base that the registry lost, then it is named with its registry', async () => {
    const lost = `bases/${name}@sha256:${'0'.repeat(64)}`;
    const step = aStep('makeBase', { name, from: { image: lost, registry: staging.address }, oci: null });
    const under = {
      ...base.result,
      artifacts: [{ ...base.made.artifacts[0]!, digest: lost.split('@')[1]! as Digest }],
    };
    const above = runBody(images().buildImage, imageStep(), {
      ...{ ...around(), inputs: [under], files: { Dockerfile: 'ARG BASE\nFROM ${BASE}\nCOPY files/ /lost/\n' } },
      ...{ plan: aPlan({ release: { name: 'lost', version: '1' } }), epoch: '1735689600' },
    });
    for (const made of [runBody(images().makeBase, step, around()), above])
      await expect(made).rejects.toMatchObject({
        first: { code: 'IMAGE_ABSENT', message: expect.stringContaining(`${staging.address}/${lost}`) as string },
      });
  });

  test('given a missing Dockerfile, then it is reported before anything is built', async () => {
    await expect(build('ARG BASE\n', { params: { dockerfile: 'Other' } })).rejects.toThrow('DOCKERFILE_MISSING');
  });

  test.each(['FROM scratch\n', 'ARG BASE\nFROM scratch\n', 'FROM ${BASE}\n'])(
    'given a base that the Dockerfile %j ignores, then the build is refused',
    async (dockerfile) => {
      await expect(build(dockerfile)).rejects.toThrow('BASE_UNUSED');
    },
  );

  describe('given the source as context', () => {
    const fromSource = async (members: Parameters<typeof archive>[0], over: Partial<Params['buildImage']> = {}) => {
      const tree = await anArtifact(home, 'source.tar', gunzipSync(archive(members)), { kind: 'source' });
      const source = aResult({ id: 'source/skiff', kind: 'fetchSource' }, { artifacts: [tree] });
      const step = imageStep({ dockerfile: 'docker/Dockerfile', context: 'source', ...over });
      const options = { ...around(), inputs: [base.result, source], plan: aPlan({}), epoch: '1735689600' };
      return runBody(images().buildImage, { ...step, files: [] }, options);
    };
    const DOCKERFILE = 'ARG BASE\nFROM ${BASE}\nCOPY run.sh /\nCOPY . /all/\n';

    test("when COPY runs, then it takes files of the tree as in a clone, and none of Slipway's folders", async () => {
      const image = await fromSource([
        { name: 'docker/Dockerfile', text: DOCKERFILE },
        { name: 'run.sh', text: 'echo oak\n' },
      ]);
      const step = testStep({ run: 'sh /run.sh; echo /all/*', expect: 'oak' });
      const passed = await runBody(tests().runTest, step, { ...around(), inputs: [image.result] });
      expect(passed.log).toContain('oak\n/all/docker /all/run.sh\n');
    });

    test('given a Dockerfile outside the tree, then it is reported', async () => {
      await expect(fromSource([{ name: 'run.sh', text: '' }])).rejects.toThrow('is not a file of the source');
    });
  });

  test('given an image, then a test runs in it with its files, and its output, result and exit status are checked', async () => {
    const image = await build('ARG BASE\nFROM ${BASE}\nENV HULL=oak\nCOPY deps/ /deps/\n');
    const ready = {
      ...around(),
      inputs: [image.result],
      files: { 'check.sh': '#!/bin/sh\ncat /deps/lock.txt; echo $HULL\n' },
    };
    const step = testStep({
      run: '"$SLIPWAY_FILES"/check.sh; echo ok > "$SLIPWAY_OUT"/r.json',
      expect: 'oak',
      result: 'r.json',
    });
    const passed = await runBody(tests().runTest, step, ready);
    expect(passed.made).toMatchObject({ facts: { exitCode: 0 }, artifacts: [{ kind: 'file', name: 'r.json' }] });
    expect(passed.log).toContain('numpy==2\noak\n');

    const refused = (more: Partial<Params['runTest']>) => runBody(tests().runTest, testStep(more), ready);
    await expect(refused({ run: 'echo pine', expect: 'oak' })).rejects.toThrow('EXPECTED_LINE_ABSENT');
    await expect(refused({ run: 'true', result: 'r.json' })).rejects.toThrow('RESULT_ABSENT');
    await expect(refused({ run: 'exit 4' })).rejects.toMatchObject({
      problems: [{ code: 'TEST_FAILED', details: { exitCode: 4 } }],
    });
  });

  test('given a test without an image, then the missing image is named', async () => {
    await expect(runBody(tests().runTest, testStep(), around())).rejects.toThrow('TEST_IMAGE_UNCLEAR');
  });
});
