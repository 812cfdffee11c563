/** @needs registries */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Work } from '../../../src/activities/work.js';
import { readManifest } from '../../../src/adapters/oci/manifest.js';
import { openStaging } from '../../../src/adapters/oci/oci-target.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { stageImage, stageIndex } from '../../support/publish-fixtures.js';
import { startRegistry, type TestServer } from '../../support/registries.js';
import { aPlan, aStep, newHome, runBody } from '../../support/run-body.js';
import { aTarget, bodies, built, codesOf, publishSealed, rehearse, seal, sealAndPublish, verify } from './release.js';

let staging: TestServer;
let registry: TestServer;
const folder = (): string => mkdtempSync(join(tmpdir(), 'slipway-registry-'));
beforeAll(
  async () => void ([staging, registry] = await Promise.all([startRegistry(folder()), startRegistry(folder())])),
);
afterAll(() => Promise.all([staging.stop(), registry.stop()]));

const service = (name: string): string | null => (name === 'staging' ? staging.address : null);
const target = (repository: string) => aTarget({ name: 'hub', kind: 'oci', address: registry.address, repository });
const publish = (home: string, repository: string, image: Artifact, version = '1.2.3') =>
  sealAndPublish(home, target(repository), built([image], 'images/skiff'), {
    surroundings: { service },
    plan: { release: { name: 'skiff', version } },
  });
const point = async (
  home: string,
  repository: string,
  image: Artifact,
  version: string,
  when: Params['movePointer']['when'] = 'newest stable',
) =>
  runBody(
    bodies().movePointer,
    aStep('movePointer', {
      target: target(repository),
      name: 'latest',
      version,
      to: 'images/skiff',
      when,
    }),
    { home, inputs: await sealedImage(home, image), surroundings: { service } },
  );
async function sealedImage(home: string, image: Artifact): Promise<readonly Result[]> {
  const build = built([image], 'images/skiff');
  return [await seal(home, build), build];
}
const digestAt = async (repository: string, tag: string) =>
  (
    await fetch(`http://${registry.address}/v2/${repository}/manifests/${tag}`, {
      method: 'HEAD',
      headers: { accept: 'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json' },
    })
  ).headers.get('docker-content-digest');

test('given a staged image, then it is copied by digest and tagged with its version', async () => {
  const home = await newHome();
  const image = await stageImage(staging.address, 'skiff', 'one');
  const first = await publish(home, 'example/one', image);
  expect(first.made).toMatchObject({
    note: '1 file uploaded',
    facts: {
      published: [{ name: 'example/one:1.2.3', digest: image.digest, url: `${registry.address}/example/one:1.2.3` }],
    },
  });
  expect(await digestAt('example/one', '1.2.3')).toBe(image.digest);
  expect((await publish(home, 'example/one', image)).made).toMatchObject({
    reused: true,
    note: '1 file already there',
  });
});

test('given a staged image, then a body reads it as docs/features.md says', async () => {
  const image = await stageImage(staging.address, 'skiff', 'read');
  const read: unknown[] = [];
  const body = async (work: Work) => {
    const at = { staging: work.address('service:staging'), stagingLogin: work.login('service:staging') };
    const from = openStaging({ name: work.step.id, ...at }, image.labels['repository'] ?? image.name, work);
    read.push((await readManifest(from, image.digest)).manifest.layers?.length);
    return { artifacts: [], note: '' };
  };
  await runBody(body, aStep('fetchSource', {} as never), { surroundings: { service } });
  expect(read).toEqual([1]);
});

test('given an index, then its images are copied too', async () => {
  const images = [
    await stageImage(staging.address, 'multi', 'amd64'),
    await stageImage(staging.address, 'multi', 'arm64'),
  ];
  const index = await stageIndex(staging.address, 'multi', images);
  await publish(await newHome(), 'example/multi', index);
  expect(await digestAt('example/multi', '1.2.3')).toBe(index.digest);
  expect(await digestAt('example/multi', images[1]!.digest)).toBe(images[1]!.digest);
});

test('given a rehearsal with another plan, then its image is put over the tag', async () => {
  const home = await newHome();
  for (const no of [1, 2]) {
    const image = await stageImage(staging.address, 'skiff', `rehearsal ${no}`);
    const { made } = await rehearse(home, target('example/anew'), built([image], 'images/skiff'), no, {
      surroundings: { service },
    });
    expect(made.findings).toHaveLength(no - 1);
    expect(await digestAt('example/anew', '1.2.3')).toBe(image.digest);
  }
});

test('given a version tag that exists, then it is not moved', async () => {
  const theirs = await stageImage(staging.address, 'skiff', 'theirs');
  await publish(await newHome(), 'example/once', theirs);
  const error = await publish(
    await newHome(),
    'example/once',
    await stageImage(staging.address, 'skiff', 'ours'),
  ).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['OTHER_BYTES']);
  expect(await digestAt('example/once', '1.2.3')).toBe(theirs.digest);
});

test('given two variants with one tag, then they are refused before anything is sent', async () => {
  const images = [await stageImage(staging.address, 'skiff', 'a'), await stageImage(staging.address, 'skiff', 'b')];
  const error = await sealAndPublish(await newHome(), target('example/twice'), built(images, 'images/skiff'), {
    surroundings: { service },
  }).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['SAME_NAME_TWICE']);
  expect(await digestAt('example/twice', '1.2.3')).toBeNull();
});

test('given an image that staging lost, then the error says so', async () => {
  const lost: Artifact = {
    digest: `sha256:${'0'.repeat(64)}`,
    kind: 'image',
    name: 'skiff',
    size: 0,
    labels: { repository: 'skiff' },
  };
  const error = await publish(await newHome(), 'example/lost', lost).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['NOT_STAGED']);
});

test('given the tag latest, then it follows the highest stable version, not the newest build', async () => {
  const home = await newHome();
  const images = await Promise.all(
    ['254', '253', '255rc'].map((content) => stageImage(staging.address, 'skiff', content)),
  );
  const [newest, older, candidate] = images as [Artifact, Artifact, Artifact];
  await publish(home, 'example/latest', newest, '2.54.0');
  expect((await point(home, 'example/latest', newest, '2.54.0')).made).toMatchObject({ facts: { moved: true } });
  await publish(home, 'example/latest', older, '2.53.1');
  expect((await point(home, 'example/latest', older, '2.53.1')).made).toMatchObject({
    facts: { moved: false, digest: newest.digest },
    note: 'latest stays at 2.54.0: 2.54.0 is newer than 2.53.1',
  });
  await publish(home, 'example/latest', candidate, '2.55.0rc1');
  expect((await point(home, 'example/latest', candidate, '2.55.0rc1')).made).toMatchObject({ reused: true });
  expect((await point(home, 'example/latest', newest, '2.54.0')).made).toMatchObject({
    reused: true,
    note: 'latest is already at 2.54.0',
  });
  expect(await digestAt('example/latest', 'latest')).toBe(newest.digest);
});

describe('proving', () => {
  const prove = (home: string, repository: string, tags: readonly string[] = []) =>
    runBody(
      bodies().proveTarget,
      aStep(
        'proveTarget',
        { target: target(repository), project: 'skiff', version: '1.2.3', tags },
        { id: 'prove/hub' },
      ),
      { home, surroundings: { service }, plan: aPlan() },
    );

  test('given a free version or ours, then it passes; a version missing in our ledger is an error', async () => {
    const home = await newHome();
    expect((await prove(home, 'example/prove')).made.note).toBe('1.2.3 is free');
    await publish(home, 'example/prove', await stageImage(staging.address, 'skiff', 'prove'));
    expect((await prove(home, 'example/prove')).made.findings).toMatchObject([{ code: 'VERSION_IS_OURS' }]);

    const theirs = await newHome();
    await publish(theirs, 'example/other', await stageImage(staging.address, 'skiff', 'other'));
    const error = await prove(theirs, 'example/prove').catch((thrown: unknown) => thrown);
    expect(codesOf(error)).toEqual(['VERSION_EXISTS']);
    const tags = ['1.2.3-py311', ...Array.from({ length: 20 }, (_, at) => `1.2.3-${at}`)];
    expect((await prove(theirs, 'example/prove', tags)).made.note).toBe('1.2.3 is free');
    const also = await prove(theirs, 'example/prove', [...tags, '1.2.3']).catch((thrown: unknown) => thrown);
    expect((also as Error).message).toContain('example/prove:1.2.3');
  });
});

test('given a published image, then verification pulls it by digest; a changed tag is a conflict', async () => {
  const home = await newHome();
  const image = await stageImage(staging.address, 'skiff', 'verify');
  const { result } = await publish(home, 'example/verify', image);
  const pulled: string[] = [];
  const fakeEngine = {
    run: async ({ reference }: { reference: string }) => ({ code: pulled.push(reference) - 1 }),
    runs: async () => true,
  };
  const { made } = await verify(home, target('example/verify'), result, { surroundings: { service } }, fakeEngine);
  expect(made.note).toBe('example/verify:1.2.3 pulled');
  expect(pulled).toEqual([`${registry.address}/example/verify@${image.digest}`]);
  const claimed = {
    ...result,
    facts: {
      target: 'hub',
      published: [{ name: 'example/verify:1.2.3', digest: `sha256:${'1'.repeat(64)}`, url: '' }],
    },
  };
  const error = await verify(home, target('example/verify'), claimed, { surroundings: { service } }, fakeEngine).catch(
    (thrown: unknown) => thrown,
  );
  expect(codesOf(error)).toEqual(['NOT_SEALED']);
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const other = await stageImage(registry.address, 'example/verify', 'pushed by somebody');
  const pushed = await fetch(`http://${registry.address}/v2/example/verify/manifests/${other.digest}`, {
    headers: { accept: type },
  });
  await fetch(`http://${registry.address}/v2/example/verify/manifests/1.2.3`, {
    ...{ method: 'PUT', headers: { 'content-type': type }, body: await pushed.text() },
  });
  const moved = await verify(home, target('example/verify'), result, { surroundings: { service } }, fakeEngine).catch(
    (thrown: unknown) => thrown,
  );
  expect(codesOf(moved)).toEqual(['VERIFY_OTHER_BYTES']);
});

test('given two steps of one run with one tag, then the second is refused', async () => {
  const home = await newHome();
  const image = async (tag: string) => built([await stageImage(staging.address, 'skiff', tag)], `images/skiff/${tag}`);
  const [one, other] = [await image('cp311'), await image('cp312')];
  const sealed = await seal(home, one, other);
  const publishAs = (build: Result) =>
    publishSealed(home, target('example/race'), sealed, build, { surroundings: { service } });
  await publishAs(one);
  const error = await publishAs(other).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['SAME_NAME_TWICE']);
});

test('given a nightly pointer, then it follows commits, for an index too, and never moves back', async () => {
  const home = await newHome();
  const repository = 'example/nightly';
  const of = async (commit: string, created: string) => {
    const labels = { 'org.opencontainers.image.revision': commit, 'org.opencontainers.image.created': created };
    const image = await stageImage(staging.address, 'skiff', commit, labels);
    const index = await stageIndex(staging.address, 'skiff', [image]);
    await publish(home, repository, index, commit);
    return (await point(home, repository, index, '3.0.0.dev0', 'newest commit')).made;
  };
  expect((await of('b'.repeat(40), '2026-11-20T02:00:00Z')).note).toBe('latest now at 3.0.0.dev0: nothing was there');
  const later = await of('a'.repeat(40), '2026-11-21T02:00:00Z');
  expect(later.note).toBe('latest now at 3.0.0.dev0: aaaaaaa was written after bbbbbbb');
  expect(await of('c'.repeat(40), '2026-11-19T02:00:00Z')).toMatchObject({
    facts: { moved: false, digest: later.facts!['digest'] as string },
    note: 'latest stays: aaaaaaa was written after ccccccc',
  });
  const silent = await stageImage(staging.address, 'skiff', 'silent');
  await publish(home, repository, silent, 'silent');
  expect((await point(home, repository, silent, '3.0.0.dev0', 'newest commit')).made.note).toContain(
    'this image does not say which commit it is of',
  );
});
