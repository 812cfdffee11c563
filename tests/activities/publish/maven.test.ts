/** @needs registries */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { startMavenRepository } from '../../support/registries.js';
import { anArtifact, aStep, newHome, runBody, sha256 } from '../../support/run-body.js';
import { aTarget, bodies, built, codesOf, rehearse, sealAndPublish } from './release.js';

type Maven = Awaited<ReturnType<typeof startMavenRepository>>;
let maven: Maven;
beforeAll(async () => void (maven = await startMavenRepository(mkdtempSync(join(tmpdir(), 'slipway-maven-')))));
afterAll(() => maven.stop());

const target = () => aTarget({ kind: 'maven', address: maven.address });
const jar = async (home: string, artifactId: string, version: string, bytes: string) =>
  built(
    [
      await anArtifact(home, `${artifactId}-${version}.jar`, bytes, {
        kind: 'jar',
        labels: { groupId: 'org.example', artifactId, version, extension: 'jar' },
      }),
    ],
    'jars/skiff',
  );
const read = async (path: string) => (await fetch(maven.address + path)).text();

test('given absent files, then they are uploaded with checksums and metadata, and read back', async () => {
  const home = await newHome();
  const { made } = await sealAndPublish(home, target(), await jar(home, 'first', '1.2.3', 'bytes'));
  expect(made.note).toBe('1 file uploaded');
  expect(made.facts?.['published']).toEqual([
    expect.objectContaining({
      name: 'org/example/first/1.2.3/first-1.2.3.jar',
      url: `${maven.address}org/example/first/1.2.3/first-1.2.3.jar`,
    }),
  ]);
  expect(await read('org/example/first/1.2.3/first-1.2.3.jar')).toBe('bytes');
  expect(await read('org/example/first/1.2.3/first-1.2.3.jar.sha1')).toMatch(/^[0-9a-f]{40}$/);
  expect(await read('org/example/first/maven-metadata.xml')).toContain('<release>1.2.3</release>');
});

test('given the same release again, then nothing is uploaded', async () => {
  const home = await newHome();
  await sealAndPublish(home, target(), await jar(home, 'again', '1.2.3', 'bytes'));
  const puts = async () =>
    (await maven.accessLog()).split('\n').filter((line) => line.includes('"PUT /org/example/again/')).length;
  const before = await puts();
  const { made } = await sealAndPublish(home, target(), await jar(home, 'again', '1.2.3', 'bytes'));
  expect(made).toMatchObject({ reused: true, note: '1 file already there' });
  expect(await puts()).toBe(before);
});

test('given an older version, then the metadata lists it and keeps the newest as release', async () => {
  const home = await newHome();
  await sealAndPublish(home, target(), await jar(home, 'older', '2.54.0', 'new'));
  await sealAndPublish(home, target(), await jar(home, 'older', '2.53.1', 'old'));
  const text = await read('org/example/older/maven-metadata.xml');
  expect(text).toContain('<release>2.54.0</release>');
  expect(text).toContain('<version>2.53.1</version>');
});

test('given other bytes under our name, then it is a conflict, and no other file is uploaded', async () => {
  const theirs = await newHome();
  await sealAndPublish(theirs, target(), await jar(theirs, 'clash', '1.2.3', 'theirs'));
  const home = await newHome();
  const clash = await jar(home, 'clash', '1.2.3', 'ours');
  const free = await jar(home, 'unclashed', '1.2.3', 'ours');
  const both = { ...clash, artifacts: [...clash.artifacts, ...free.artifacts] };
  const error = await sealAndPublish(home, target(), both).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['OTHER_BYTES']);
  expect((await fetch(`${maven.address}org/example/unclashed/1.2.3/unclashed-1.2.3.jar`)).status).toBe(404);
});

test('given an attempt that ended before the checksums, then the next one uploads them', async () => {
  const home = await newHome();
  const path = 'org/example/half/1.2.3/half-1.2.3.jar';
  await fetch(maven.address + path, { method: 'PUT', body: 'bytes' });
  const { made } = await sealAndPublish(home, target(), await jar(home, 'half', '1.2.3', 'bytes'));
  expect(made.note).toBe('1 file already there');
  expect(await read(`${path}.md5`)).toMatch(/^[0-9a-f]{32}$/);
});

test('given an attempt that left old metadata checksums, then the next one corrects them', async () => {
  const home = await newHome();
  await sealAndPublish(home, target(), await jar(home, 'stale', '1.2.3', 'bytes'));
  const path = 'org/example/stale/maven-metadata.xml';
  const right = await read(`${path}.sha1`);
  await fetch(`${maven.address}${path}.sha1`, { method: 'PUT', body: 'of the metadata before' });
  await sealAndPublish(home, target(), await jar(home, 'stale', '1.2.3', 'bytes'));
  expect(await read(`${path}.sha1`)).toBe(right);
});

test('given a rehearsal with another plan, then its files replace those before, with their checksums', async () => {
  const home = await newHome();
  const path = 'org/example/anew/1.2.3/anew-1.2.3.jar';
  const metadata = 'org/example/anew/maven-metadata.xml';
  await sealAndPublish(home, target(), await jar(home, 'anew', '1.2.2', 'before'));
  await rehearse(home, target(), await jar(home, 'anew', '1.2.3', 'one'), 1);
  const { made } = await rehearse(home, target(), await jar(home, 'anew', '1.2.3', 'two'), 2);
  expect(made).toMatchObject({
    note: "1 file uploaded, 1 file in place of an earlier rehearsal's",
    findings: [{ code: 'REHEARSAL_REPLACED' }],
  });
  expect(await read(path)).toBe('two');
  expect(await read(`${path}.sha256`)).toBe(sha256('two').slice(7));
  const text = await read(metadata);
  expect(text.match(/<version>.*/g)).toEqual(['<version>1.2.2</version>', '<version>1.2.3</version>']);
  expect(await read(`${metadata}.sha256`)).toBe(sha256(text).slice(7));
  for (const folder of ['anew/', 'anew/%0A/'])
    expect((await fetch(maven.address + 'org/example/' + folder, { method: 'DELETE' })).status).toBe(403);
});

test('given metadata without a checksum, then the next attempt adds the checksum and leaves the metadata', async () => {
  const home = await newHome();
  const metadata = 'org/example/kept/maven-metadata.xml';
  await sealAndPublish(home, target(), await jar(home, 'kept', '1.2.3', 'bytes'));
  const old = (await read(metadata)).replace(/<lastUpdated>\d+/, '<lastUpdated>20200101000000');
  await fetch(maven.address + metadata, { method: 'PUT', body: old });
  await fetch(`${maven.address}${metadata}.sha1`, { method: 'DELETE' });
  await sealAndPublish(home, target(), await jar(home, 'kept', '1.2.3', 'bytes'));
  expect(await read(metadata)).toBe(old);
  expect(await read(`${metadata}.sha1`)).toMatch(/^[0-9a-f]{40}/);
});

test('given a POM whose coordinates lead to another folder, then it is refused', async () => {
  const home = await newHome();
  const error = await sealAndPublish(home, target(), await jar(home, '../../elsewhere', '1.2.3', 'bytes')).catch(
    (thrown: unknown) => thrown,
  );
  expect(codesOf(error)).toEqual(['JAR_WITHOUT_COORDINATES']);
});

test('given a repository that does not answer, then it is an infrastructure failure', async () => {
  const home = await newHome();
  const gone = aTarget({ kind: 'maven', address: `http://127.0.0.1:${await freePort()}/` });
  const error = await sealAndPublish(home, gone, await jar(home, 'gone', '1.2.3', 'bytes')).catch(
    (thrown: unknown) => thrown,
  );
  expect(codesOf(error)).toEqual(['TARGET_UNREACHABLE']);
});

test('given a proof, then it says what can only be compared later', async () => {
  const step = aStep('proveTarget', { target: target(), project: 'skiff', version: '1.2.3', tags: [] });
  const { made } = await runBody(bodies().proveTarget, step, { home: await newHome() });
  expect(made.note).toBe('answers; names are compared once they are built');
});

describe('signed files', () => {
  /** The files of a release, each as an artifact. */
  const release = async (home: string, artifactId: string, ...extensions: readonly string[]) => {
    const labels = { groupId: 'org.example', artifactId, version: '1.2.3' };
    const files = extensions.map((extension) =>
      anArtifact(home, `${artifactId}-1.2.3.${extension}`, extension, {
        kind: 'jar',
        labels: { ...labels, extension },
      }),
    );
    return built(await Promise.all(files), 'jars/skiff');
  };
  const status = async (path: string) => (await fetch(`${maven.address}org/example/${path}`)).status;

  test('given all signatures, then they are uploaded, without checksums of their own', async () => {
    const home = await newHome();
    await sealAndPublish(home, target(), await release(home, 'signed', 'jar', 'jar.asc', 'pom', 'pom.asc'));
    expect(await read('org/example/signed/1.2.3/signed-1.2.3.pom.asc')).toBe('pom.asc');
    expect(await status('signed/1.2.3/signed-1.2.3.pom.md5')).toBe(200);
    expect(await status('signed/1.2.3/signed-1.2.3.pom.asc.md5')).toBe(404);
  });

  test('given a missing signature, then the files are refused and nothing is sent', async () => {
    const home = await newHome();
    const half = sealAndPublish(home, target(), await release(home, 'halfsigned', 'jar', 'jar.asc', 'pom'));
    expect(codesOf(await half.catch((thrown: unknown) => thrown))).toEqual(['SIGNATURES_INCOMPLETE']);
    expect(await status('halfsigned/1.2.3/halfsigned-1.2.3.jar')).toBe(404);
  });
});
