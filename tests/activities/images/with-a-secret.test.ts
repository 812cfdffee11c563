/** @needs services docker @slow */
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { connect, stagingLogins } from '../../../src/adapters/docker/connection.js';
import { createDocker } from '../../../src/adapters/docker/index.js';
import { keysFolder } from '../../../src/adapters/home-keys/open.js';
import { serviceLogins } from '../../../src/adapters/home-keys/service-secrets.js';
import { createPublishedImages } from '../../../src/adapters/oci/published-images.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { createServices, type Services } from '../../../src/services/create-services.js';
import { aHome } from '../../services/a-home.js';
import { aPlan, aStep, runBody, type BodyRun, type RunBody } from '../../support/run-body.js';
import { testEngine, writeTinyRootfs } from '../../support/tiny-rootfs.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
(engine === null ? describe.skip : describe)('staging asks for the secret of the home', () => {
  const name = `with-a-secret-${process.pid}`;
  const raw = connect(engine ?? 'unix:///nowhere');
  let services: Services;
  let end: () => Promise<void>;
  let work: string;
  let secret: string;
  let base: BodyRun;

  const login = (service: string) => serviceLogins(keysFolder({}, work), ['staging'])(service);
  const staging = (): string => services.address('staging')!;
  const service = (of: string): string | null => (of === 'staging' ? staging() : null);
  const docker = createDocker(() => engine, {}, stagingLogins({ service, login }));
  const bodies = () =>
    makeBodies(['makeBase', 'buildImage', 'runTest', 'runCommand'], {
      ...docker,
      bases: { key: async () => `tiny ${work}`, make: () => writeTinyRootfs(join(work, 'base.tar')) },
      archives: createArchives(),
      published: createPublishedImages(),
      programs: createPrograms({ running: join(work, 'running') }),
    });
  const around = (): RunBody => ({
    home: work,
    surroundings: { login, service },
    ...{ plan: aPlan({}), epoch: '1735689600' },
  });
  const forget = async (): Promise<void> => {
    const names = (await raw.listImages()).flatMap(({ RepoTags, RepoDigests }) => [
      ...(RepoTags ?? []),
      ...(RepoDigests ?? []),
    ]);
    for (const one of names.filter((text) => text.includes(name)))
      await raw
        .getImage(one)
        .remove({ force: true })
        .catch(() => undefined);
  };
  const build = (dockerfile: string) => {
    const step = aStep(
      'buildImage',
      {
        ...{ project: name, version: '1.2.3', platform: 'linux-x86_64', oci: null, base: `bases/${name}` },
        ...{ dockerfile: 'Dockerfile', args: {}, labels: {}, tags: [], network: true },
      },
      { id: `images/${name}`, files: [''] },
    );
    return runBody(bodies().buildImage, step, {
      ...around(),
      inputs: [base.result],
      files: { Dockerfile: dockerfile },
    });
  };

  beforeAll(async () => {
    const made = await aHome();
    work = made.home;
    services = createServices(made.env, ['staging', 'web']);
    end = async () => {
      await services.down({ onLine: () => undefined });
      made.remove();
    };
    await services.up({ onLine: () => undefined });
    secret = login('staging')!.password;
    const params = { name, from: { debian: 'tiny', packages: [] }, oci: null };
    base = await runBody(bodies().makeBase, aStep('makeBase', params, { id: `bases/${name}` }), around());
  });
  afterAll(async () => {
    await forget();
    await end?.();
  });

  const listing = '["/bin/sh", "-c", "/usr/bin/env > /seen; /bin/cat /proc/self/environ >> /seen"]';

  test('given an engine that lost the base, then it is pulled, and neither a line nor the log sees the secret', async () => {
    await forget();
    const image = await build(`ARG BASE\nFROM \${BASE}\nRUN ${listing}\n`);
    await forget();
    const step = aStep('runTest', {
      ...{ in: 'image', run: '/bin/cat /seen; /usr/bin/env', env: {}, python: null, expect: null, result: null },
      artifacts: [],
    });
    const test = await runBody(bodies().runTest, step, { ...around(), inputs: [image.result] });
    const { digest } = image.made.artifacts[0]!;
    const history: unknown = await raw.getImage(`${staging()}/${name}@${digest}`).history();
    const basic = Buffer.from(`staging:${secret}`).toString('base64');
    expect(test.log).toContain('PATH=');
    for (const text of [
      base.log,
      image.log,
      test.log,
      JSON.stringify(history),
      JSON.stringify([image.made, test.made]),
    ])
      for (const one of [secret, basic]) expect(text).not.toContain(one);
  });

  test('given a Dockerfile that names another image in staging, then the builder gets no credential', async () => {
    const other = `${staging()}/bases/${name}-other@${base.made.artifacts[0]!.digest}`;
    await expect(build(`ARG BASE\nFROM \${BASE} AS own\nFROM ${other}\n`)).rejects.toMatchObject({
      first: { class: 'product' },
    });
  });

  test('[D2] given a step with `network: true`, when it begins an upload to staging, then it is refused', async () => {
    const at = `http://${staging()}/v2/bases/jre/blobs/uploads/`;
    const run = `env; cat ${join(work, 'keys', 'staging.key')} || true; curl -s -o /dev/null -w 'answer %{http_code}' -X POST ${at}`;
    const params = {
      run,
      expect: 'answer 401',
      outputs: [],
      env: {},
      where: { in: 'host' },
      folder: '.',
      network: true,
    };
    const step = aStep('runCommand', params as never, { id: 'steps/upload' });
    const { log } = await runBody(bodies().runCommand, step, around());
    expect(log).toContain('answer 401');
    expect(log).not.toContain(secret);
  });

  test('given a worker without the secret, then a push is refused, and the problem says why', async () => {
    const bare = {
      ...bodies(),
      ...makeBodies(['makeBase'], {
        ...createDocker(() => engine),
        bases: { key: async () => 'other', make: () => writeTinyRootfs(join(work, 'other.tar')) },
        archives: createArchives(),
        published: createPublishedImages(),
      }),
    };
    const params = { name, from: { debian: 'other', packages: [] }, oci: null };
    await expect(
      runBody(bare.makeBase, aStep('makeBase', params, { id: `bases/${name}` }), around()),
    ).rejects.toMatchObject({ first: { class: 'denied', next: expect.stringContaining('staging.key') as string } });
  });
});
