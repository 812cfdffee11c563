/** @needs registries docker */
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { layersOf } from '../../../src/activities/images/debian-layers.js';
import type { BaseTars, DebianBase } from '../../../src/activities/images/ports.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { connect } from '../../../src/adapters/docker/connection.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { createPublishedImages } from '../../../src/adapters/oci/published-images.js';
import { judgeDebian } from '../../../src/adapters/debian/judge.js';
import type { Result } from '../../../src/model/result.js';
import { UNDER_EVERY_BUILD, WITH_OWN_PYTHON } from '../../../src/model/build-packages.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';

test.each([
  ['no packages', [], [[]]],
  ['packages of its own', ['curl', 'jq'], [[], ['curl', 'jq']]],
  ['the build packages', UNDER_EVERY_BUILD, [[], UNDER_EVERY_BUILD]],
  ['what every build has, and more', ['cmake', ...UNDER_EVERY_BUILD, 'zip'], [[], UNDER_EVERY_BUILD, ['cmake', 'zip']]],
  [
    "the distribution's own Python, and more",
    ['libldap2-dev', ...WITH_OWN_PYTHON],
    [[], WITH_OWN_PYTHON, ['libldap2-dev']],
  ],
])('given a base with %s, then its layers can be shared with others', (_, packages, layers) =>
  expect(layersOf(packages)).toEqual(layers),
);

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
const withEngine = engine === null ? describe.skip : describe;

withEngine('bases of one Debian suite', () => {
  const docker = createDocker(() => engine);
  const suite = `tiny-${process.pid}`;
  const made: string[] = [];
  let home: string;
  let staging: TestServer;

  /** A file for each package. What `nowhere` is called does not exist. */
  const dockerfile = ({ packages }: DebianBase, on: string): string => {
    const line = packages
      .map((name) => (name === 'nowhere' ? 'echo E: Unable to locate package nowhere; exit 100' : `echo > /${name}`))
      .join('; ');
    return `FROM ${on}\nRUN ${JSON.stringify(['/bin/sh', '-c', line])}\n`;
  };
  const bases: BaseTars = {
    key: async ({ packages }) => `${home} ${packages.join()}`,
    make: async ({ packages }) => {
      made.push(packages.join());
      return writeTinyRootfs(join(home, `${made.length}.tar`));
    },
    layers: { fit: () => true, dockerfile, whyFailed: (of, lines) => judgeDebian(of, 100, lines) },
  };
  const make = (name: string, packages: readonly string[], known?: Result) => {
    const { makeBase } = makeBodies(['makeBase'], {
      ...docker,
      archives: createArchives(),
      bases,
      published: createPublishedImages(),
    });
    const params = { name: `${suite}-${name}`, from: { debian: suite, packages }, oci: null };
    const service = (of: string): string | null => (of === 'staging' ? staging.address : null);
    const step = aStep('makeBase', params, { id: `bases/${name}` });
    return runBody(makeBase, step, { home, surroundings: { service }, ...(known && { known }) });
  };
  const imagesOfSuite = async () =>
    (await connect(engine!).listImages()).flatMap(({ Id, RepoTags, RepoDigests }) =>
      [...(RepoTags ?? []), ...(RepoDigests ?? [])]
        .filter((name) => name.includes(suite))
        .map((name) => ({ Id, name })),
    );
  const forgetAll = async (): Promise<void> => {
    for (const { name } of await imagesOfSuite())
      await connect(engine!)
        .getImage(name)
        .remove({ force: true })
        .catch(() => undefined);
  };
  const layersIn = async (name: string): Promise<readonly string[]> => {
    const found = (await imagesOfSuite()).find((image) => image.name.includes(`slipway/bases/${suite}-${name}:`));
    const { RootFS } = await connect(engine!).getImage(found!.Id).inspect();
    return RootFS.Layers ?? [];
  };

  beforeAll(async () => {
    home = await newHome();
    staging = await startRegistry(join(home, 'registry'));
  });
  afterAll(async () => {
    await forgetAll();
    await staging?.stop();
  });

  test('given two bases built in parallel, then they share the minimal base, and their packages are a layer each', async () => {
    const [one, two] = await Promise.all([make('one', ['oar']), make('two', ['sail', 'mast'])]);
    expect(made).toEqual(['']);
    const [first, second] = [await layersIn('one'), await layersIn('two')];
    expect([first.length, second.length]).toEqual([2, 2]);
    expect(second[0]).toBe(first[0]);
    expect(one.made.artifacts[0]!.digest).not.toBe(two.made.artifacts[0]!.digest);
  });

  test('given a base that is already staged, then its proved digest finds it, and a tag alone does not', async () => {
    const staged = await make('one', ['oar']);
    expect(staged.made.reused).toBe(false);
    const again = await make('one', ['oar'], staged.result);
    expect(again.made).toMatchObject({ reused: true, artifacts: staged.made.artifacts });
  });

  test('given another Docker engine, then the minimal base is made again: no record names its digest', async () => {
    await forgetAll();
    await make('three', ['keel']);
    expect(made).toEqual(['', '']);
  });

  test('given an unknown package, then the base is refused with its name', async () => {
    await expect(make('four', ['nowhere'])).rejects.toMatchObject({
      first: { code: 'DEBIAN_PACKAGE_UNKNOWN', message: expect.stringContaining('nowhere') },
    });
  });
});
