/** @needs registries docker */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { connect } from '../../src/adapters/docker/connection.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { createPublishedImages } from '../../src/adapters/oci/published-images.js';
import type { Params } from '../../src/model/params.js';
import { startRegistry, type TestServer } from '../support/registries.js';
import { aPlan, aResult, aStep, anArtifact, runBody } from '../support/run-body.js';
import { archive } from '../support/tiny-projects.js';
import { testEngine } from '../support/tiny-rootfs.js';

const engine = testEngine();
// Why it may be skipped: no Docker engine answers on this machine (DOCKER_HOST, `slipway up` or the usual socket).
(engine === null ? describe.skip : describe)('a Dockerfile makes the engine ask the network', () => {
  const docker = createDocker(() => engine);
  const name = `fetches-${process.pid}`;
  let home: string;
  let staging: TestServer;
  let asked = 0;
  const server = createServer((_, answer) => answer.end(`answer ${(asked += 1)}`));
  /** Address of a server of this machine, as an address of the network or of a registry. */
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-fetches-'));
    staging = await startRegistry(join(home, 'registry'));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  });
  beforeEach(() => (asked = 0));
  afterAll(async () => {
    server.close();
    for (const { RepoTags } of await connect(engine!).listImages())
      for (const tag of (RepoTags ?? []).filter((one) => one.includes(name)))
        await connect(engine!).getImage(tag).remove({ force: true });
    await staging?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const build = async (members: Parameters<typeof archive>[0], more: Partial<Params['buildImage']> = {}) => {
    const bodies = makeBodies(['buildImage'], {
      ...docker,
      ...{ bases: { key: async () => 'none', make: async () => 'none' } },
      ...{ archives: createArchives(), published: createPublishedImages() },
    });
    const step = aStep('buildImage', {
      ...{ project: name, version: '1.2.3', platform: 'linux-x86_64', oci: null, base: null, dockerfile: 'Dockerfile' },
      ...{ args: {}, labels: {}, tags: [], context: 'source', ...more },
    });
    const tree = await anArtifact(home, 'source.tar', gunzipSync(archive(members)), { kind: 'source' });
    const inputs = [aResult({ id: 'source/skiff', kind: 'fetchSource' }, { artifacts: [tree] })];
    const surroundings = { service: (service: string) => (service === 'staging' ? staging.address : null) };
    return runBody(bodies.buildImage, step, { home, inputs, surroundings, plan: aPlan({}), epoch: '1735689600' });
  };
  const dockerfile = (text: string) => [
    { name: 'Dockerfile', text },
    { name: 'run.sh', text: '' },
  ];

  test('given `network: true`, then it is asked', async () => {
    await build(dockerfile(`FROM scratch\nADD http://${host()}/a /a\n`), { network: true });
    expect(asked).toBeGreaterThan(0);
  });

  test.each<[how: string, text: () => string]>([
    ['ADD of an address', () => `FROM scratch\nADD http://${host()}/a /a\n`],
    ['ADD in pieces', () => `# a\nFROM scratch\nARG A=http\nAD\\\n# b\nD \${A}://${host()}/a /a\n`],
    ['ONBUILD', () => `FROM scratch AS a\nONBUILD ADD http://${host()}/a /a\nFROM a\nCOPY run.sh /\n`],
    ['FROM', () => `FROM ${host()}/a:1\n`],
    ['COPY --from', () => `FROM scratch\nCOPY --chown=0:0 --from=${host()}/a:1 /a /a\n`],
    ['a mount', () => `FROM scratch\nCOPY run.sh /\nRUN --mount=type=bind,from=${host()}/a:1,target=/a ["/run.sh"]\n`],
    ['a reader of its own', () => `# syntax=${host()}/a:1\nFROM scratch\nCOPY run.sh /\n`],
  ])('given no `network:`, when it does so by %s, then it is refused with its line', async (_, text) => {
    await expect(build(dockerfile(text()))).rejects.toMatchObject({
      first: { code: 'DOCKERFILE_FETCHES', message: expect.stringMatching(/^Dockerfile:\d+: /) as string },
    });
    expect(asked).toBe(0);
  });

  test('given no `network:`, when an argument names a reader, then it is refused', async () => {
    const args = { BUILDKIT_SYNTAX: `${host()}/a:1` };
    await expect(build(dockerfile('FROM scratch\nCOPY run.sh /\n'), { args })).rejects.toThrow('DOCKERFILE_FETCHES');
    expect(asked).toBe(0);
  });

  test('given no `network:`, when it leads this worker to a file that the engine does not read, then it is refused', async () => {
    const harmless = { name: 'Dockerfile', link: '../context/clean' };
    const meant = { name: 'context/clean', text: `FROM scratch\nADD http://${host()}/a /a\n` };
    await expect(build([{ name: 'clean', text: 'FROM scratch\nCOPY clean /\n' }, harmless, meant])).rejects.toThrow(
      'ARCHIVE_UNSAFE',
    );
    expect(asked).toBe(0);
  });

  test('given several such lines, then all of them are named, and what to type', async () => {
    const text = `FROM debian:12 AS a\nFROM scratch\nCOPY --from=b:1 /b /\nADD http://${host()}/a /\n`;
    const problems = await build(dockerfile(text)).catch((error: unknown) => (error as { problems: unknown }).problems);
    expect(problems).toMatchObject([
      { message: 'Dockerfile:1: FROM debian:12 takes an image from a registry, and the image has no network' },
      { message: expect.stringContaining('Dockerfile:3: COPY --from=b:1') as string },
      { next: `Keep the file in the build context, or write \`network: true\` under images.${name}.` },
    ]);
  });
});
