/** @needs registries */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../../../src/model/target.js';
import type { Step } from '../../../src/model/plan.js';
import { wheelBytes } from '../../support/publish-fixtures.js';
import { DEVPI_PASSWORD, startDevpi, startMavenRepository, type TestServer } from '../../support/registries.js';
import { aResult, anArtifact, aStep, newHome, runBody } from '../../support/run-body.js';
import { aTarget, bodies, built, codesOf, seal } from './release.js';

const folder = (name: string): string => mkdtempSync(join(tmpdir(), `slipway-proved-${name}-`));
const mavenFolder = folder('maven');
const writers = join(mavenFolder, 'writers');
const KIM = 'a-password-of-kim';
const WRITERS = `kim:{PLAIN}${KIM}\n`;
const MOST_BYTES = 2 ** 20;

let index: TestServer;
let maven: Awaited<ReturnType<typeof startMavenRepository>>;
beforeAll(async () => {
  writeFileSync(writers, WRITERS);
  [index, maven] = await Promise.all([
    startDevpi(folder('devpi')),
    startMavenRepository(mavenFolder, { writers, mostBytes: MOST_BYTES }),
  ]);
  await asRoot('PUT', 'kim', { password: KIM, email: 'kim@localhost' });
});
afterAll(() => Promise.all([index.stop(), maven.stop()]));
beforeEach(async () => {
  writeFileSync(writers, WRITERS);
  await mayUpload('kim');
});

/** A request to devpi by its root user, who logs in once. */
async function asRoot(method: string, path: string, body: object): Promise<void> {
  const base = new URL('/', index.address).href;
  const headers = { 'content-type': 'application/json' };
  const ask = async (how: string, where: string, what: object, more = {}): Promise<string> => {
    const told = { method: how, headers: { ...headers, ...more }, body: JSON.stringify(what) };
    const answer = await fetch(base + where, told);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`devpi: HTTP ${answer.status} ${text}`);
    return text;
  };
  root ??= ask('POST', '+login', { user: 'root', password: DEVPI_PASSWORD });
  const { result } = JSON.parse(await root) as { result: { password: string } };
  const auth = Buffer.from(`root:${result.password}`).toString('base64');
  await ask(method, path, body, { 'x-devpi-auth': auth });
}
let root: Promise<string> | null = null;
const mayUpload = (...users: readonly string[]): Promise<void> =>
  asRoot('PATCH', 'root/release', [`acl_upload=${users.join(',')}`]);

const asKim = { username: 'kim', password: '$KIM' };
const surroundings = { service: () => null, env: { ...process.env, KIM } };
const targets = (limits?: Target['limits']): { wheels: Target; jars: Target } => ({
  wheels: aTarget({ name: 'index', kind: 'python', address: index.address, ...asKim, ...(limits && { limits }) }),
  jars: aTarget({ name: 'maven', kind: 'maven', address: maven.address, ...asKim, ...(limits && { limits }) }),
});

/** A release of one wheel and one JAR, sealed; `publish` makes an attempt of either's step. */
async function release(version: string, more: { limits?: Target['limits']; jarBytes?: number } = {}) {
  const home = await newHome();
  const jar = await anArtifact(home, `skiff-${version}.jar`, 'j'.repeat(more.jarBytes ?? 10), {
    kind: 'jar',
    labels: { groupId: 'org.example', artifactId: 'skiff', version, extension: 'jar' },
  });
  const wheel = await anArtifact(home, `skiff-${version}-py3-none-any.whl`, wheelBytes(version), { kind: 'wheel' });
  const made = {
    wheels: built([wheel]),
    jars: aResult({ id: 'jars/skiff', kind: 'buildJar' }, { artifacts: [jar] }),
  };
  const sealed = await seal(home, made.wheels, made.jars);
  const to = targets(more.limits);
  const step = (of: keyof typeof made) =>
    aStep('publishArtifacts', { target: to[of], of: [made[of].step], tags: [] }, { id: `publish/${to[of].name}` });
  const plan = { steps: [step('wheels'), step('jars')] as unknown as readonly Step[] };
  const run = { home, plan, surroundings };
  return {
    prove: (of: keyof typeof made) =>
      runBody(bodies().proveTarget, aStep('proveTarget', { target: to[of], project: 'skiff', version, tags: [] }), run),
    publish: (of: keyof typeof made) =>
      runBody(bodies(null, [20, 50], { proofHoldsMs: 0 }).publishArtifacts, step(of), {
        ...run,
        inputs: [sealed, made[of]],
      }),
  };
}
const failed = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error,
  );

/** What stands at both, by their own words. */
async function published(version: string): Promise<readonly string[]> {
  const page = await (await fetch(`${index.address}+simple/skiff/`)).text();
  const log = (await maven.accessLog()).split('\n').filter((line) => / 20[014] /.test(line) && line.includes('"PUT'));
  return [
    ...(page.includes(`skiff-${version}-`) ? ['wheel'] : []),
    ...log.filter((line) => line.includes(`/${version}/`)),
  ];
}

test('given an identity that may publish, then both proofs pass and leave nothing behind', async () => {
  const { prove, publish } = await release('1.0');
  expect((await prove('wheels')).made.note).toBe('1.0 is free');
  expect((await prove('jars')).made.note).toMatch(/^answers/);
  expect(await published('1.0')).toEqual([]);
  expect((await publish('jars')).made.note).toBe('1 file uploaded');
  expect((await publish('wheels')).made.note).toBe('1 file uploaded');
  expect(await published('1.0')).toHaveLength(1 + 4);
  const stands = readdirSync(join(mavenFolder, 'www'), { recursive: true }).map(String);
  expect(stands.filter((path) => path.includes('slipway-proof'))).toEqual([]);
});

describe('a credential that is revoked between start and publishing', () => {
  test('given a revoked index credential, then nothing is published, to the other target neither', async () => {
    const { prove, publish } = await release('1.1');
    await prove('wheels');
    await prove('jars');
    await mayUpload('root');
    const error = await failed(publish('jars'));
    expect(codesOf(error)).toEqual(['UPLOAD_NOT_ALLOWED']);
    expect(error).toMatchObject({
      problems: [{ class: 'denied', message: expect.stringMatching(/takes uploads from root, and not from kim$/) }],
    });
    expect(await published('1.1')).toEqual([]);
    await mayUpload('kim'); // a person mended it: the same step goes on
    expect((await publish('jars')).made.note).toBe('1 file uploaded');
  });

  test('given a revoked credential of a repository that all may read, then nothing is published', async () => {
    const { prove, publish } = await release('1.2');
    await prove('jars');
    writeFileSync(writers, 'sam:{PLAIN}another-password\n');
    expect(codesOf(await failed(publish('wheels')))).toEqual(['TARGET_DENIED']);
    expect(await published('1.2')).toEqual([]);
  });

  test('given two revoked credentials, then both are reported at once', async () => {
    const { publish } = await release('1.3');
    await mayUpload();
    writeFileSync(writers, '');
    expect([...codesOf(await failed(publish('wheels')))].sort()).toEqual(['TARGET_DENIED', 'UPLOAD_NOT_ALLOWED']);
    expect(await published('1.3')).toEqual([]);
  });

  test('given a revocation after the first target, then the second is proved again, and nothing more is published', async () => {
    const { publish } = await release('1.4');
    await publish('jars');
    await mayUpload('root');
    expect(codesOf(await failed(publish('wheels')))).toEqual(['UPLOAD_NOT_ALLOWED']);
    expect((await published('1.4')).includes('wheel')).toBe(false);
  });
});

test('given a credential without permission, then the proof at the start reports it', async () => {
  const { prove } = await release('1.5');
  await mayUpload('root');
  writeFileSync(writers, '');
  expect(codesOf(await failed(prove('wheels')))).toEqual(['UPLOAD_NOT_ALLOWED']);
  expect(codesOf(await failed(prove('jars')))).toEqual(['TARGET_DENIED']);
});

describe('files that are too large', () => {
  test("given limits in the profile, then all targets' problems are reported at once", async () => {
    const { publish } = await release('1.6', { limits: { fileMiB: 0.00001, totalMiB: 0.0001 }, jarBytes: 500 });
    const found = [...codesOf(await failed(publish('wheels')))].sort();
    expect(found).toEqual(['FILE_TOO_LARGE', 'FILE_TOO_LARGE', 'RELEASE_TOO_LARGE', 'RELEASE_TOO_LARGE']);
    expect(await published('1.6')).toEqual([]);
  });

  test("given a server's limit, then the file is refused before any byte is sent", async () => {
    const { publish } = await release('1.7', { jarBytes: MOST_BYTES + 1 });
    expect(codesOf(await failed(publish('wheels')))).toEqual(['TARGET_TOO_LARGE']);
    expect(await published('1.7')).toEqual([]);
  });
});
