/** @long @needs registries docker */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { connect } from '../../../src/adapters/docker/connection.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { toolsBin } from '../../../src/adapters/home.js';
import { createPublishedImages } from '../../../src/adapters/oci/published-images.js';
import { createInterpreters } from '../../../src/adapters/python/interpreters.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { aStep, runBody, type BodyRun } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { librariesOf, testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';
import { aLock, aSource, C_PROJECT, EPOCH, wheelStep } from './fixture.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
const withEngine = engine === null ? describe.skip : describe;

/** What cibuildwheel and a build call in a container. */
const PROGRAMS = ['cp', 'find', 'ls', 'mkdir', 'mv', 'pwd', 'readlink', 'rm', 'tar', 'test', 'true', 'which'].map(
  (name) => `/bin/${name}`,
);

/** Where the Python of our tools keeps its packages. */
const sitePackages = async (): Promise<string> => {
  const lib = join(toolsBin(), '..', 'lib');
  return join(
    lib,
    readdirSync(lib).find((name) => name.startsWith('python3'))!,
    'site-packages',
  );
};

withEngine('builder cibuildwheel', () => {
  const docker = createDocker(() => engine);
  const interpreters = createInterpreters();
  const name = `cibw-${process.pid}`;
  let home: string;
  let staging: TestServer;
  let base: BodyRun;
  let lock: Result;
  const around = () => ({
    home,
    surroundings: { service: (service: string) => (service === 'staging' ? staging.address : null) },
  });

  beforeAll(async () => {
    home = await homeWithCache();
    staging = await startRegistry(join(home, 'registry'));
    const python = (await interpreters.find('cp312'))!;
    const folder = join(python.prefix, 'lib', 'python3.12', 'lib-dynload');
    const modules = readdirSync(folder).filter((file) => /^(_ctypes|_hashlib|_ssl|zlib)\./.test(file));
    const bases = {
      key: async () => `cibw ${home}`,
      make: () =>
        writeTinyRootfs(join(home, 'base.tar'), [
          ...PROGRAMS,
          ...librariesOf(join(toolsBin(), 'uv')),
          ...modules.map((file) => join(folder, file)),
        ]),
    };
    const step = aStep(
      'makeBase',
      { name, from: { debian: 'tiny', packages: [] }, oci: null },
      { id: `bases/${name}` },
    );
    const images = makeBodies(['makeBase'], {
      ...docker,
      bases,
      archives: createArchives(),
      published: createPublishedImages(),
    });
    lock = await aLock(home, 'cp312');
    base = await runBody(images.makeBase, step, around());
  });
  afterAll(async () => {
    const raw = connect(engine!);
    for (const { Id, RepoDigests, RepoTags } of await raw.listImages())
      if ([...(RepoTags ?? []), ...(RepoDigests ?? [])].some((one) => one.includes(name)))
        await raw
          .getImage(Id)
          .remove({ force: true })
          .catch(() => undefined);
    await staging?.stop();
  });

  const build = async (
    more: Partial<Params['buildWheel']> = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<BodyRun> => {
    const bodies = makeBodies(['buildWheel'], { archives: createArchives(), interpreters, ...docker });
    const zig = `${join(await sitePackages(), 'ziglang', 'zig')} cc -target x86_64-linux-gnu.2.17`;
    const step = wheelStep({
      builder: 'cibuildwheel',
      where: { in: 'container', base: `bases/${name}` },
      // The compiler that needs nothing of its container.
      env: { CC: zig, LDSHARED: `${zig} -shared`, CFLAGS: '-O2 -g0', QUOTE: "it's" },
      ...more,
    });
    const inputs = [await aSource(home, { ...C_PROJECT, ...files }), base.result, lock];
    return runBody(bodies.buildWheel, step, { ...around(), inputs, epoch: EPOCH });
  };

  test('given a plain base, then it builds with this machine’s Python and the lock, and leaves no container', async () => {
    const { made, log } = await build();
    expect(made.note).toMatch(/^cp312 manylinux.*_x86_64, 6 files$/);
    expect(log).toMatch(/uv build .*--build-constraints \S+build-cp312-linux-x86_64.txt --require-hashes/);
    const left = await connect(engine!).listContainers({ all: true });
    expect(left.filter(({ Names }) => Names.some((one) => one.includes('cibuildwheel')))).toEqual([]);
  });

  test('when a project listens to what others send, then it is refused', async () => {
    const listen = 'import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3)\n';
    await expect(build({}, { 'setup.py': `${listen}${C_PROJECT['setup.py']!}` })).rejects.toMatchObject({
      first: { code: 'BUILD_FAILED', evidence: expect.arrayContaining([expect.stringContaining('PermissionError')]) },
    });
  });

  test('given a compile error, then the next step names it', async () => {
    await expect(build({}, { 'sail.c': '#include <no/such.h>\n' })).rejects.toMatchObject({
      first: { code: 'BUILD_FAILED', next: expect.stringContaining('no/such.h') },
    });
  });
});

test('given a worker without a Docker engine, then it fails with a code', async () => {
  const home = await homeWithCache();
  const bodies = makeBodies(['buildWheel'], {
    archives: createArchives(),
    interpreters: createInterpreters(),
    containers: null,
  });
  const step = wheelStep({ builder: 'cibuildwheel', where: { in: 'container', base: 'bases/x' } });
  await expect(
    runBody(bodies.buildWheel, step, { home, inputs: [await aSource(home, C_PROJECT)], epoch: EPOCH }),
  ).rejects.toMatchObject({ first: { code: 'NO_ENGINE_HERE' } });
});
