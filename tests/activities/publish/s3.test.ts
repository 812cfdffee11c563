/** @needs s3 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { FailureClass } from '../../../src/model/failure.js';
import { aServer, withS3, type Server } from '../../adapters/s3-store/a-server.js';
import { FAULTS, startFaultProxy, type FaultName, type FaultProxy } from '../../support/fault-proxy.js';
import { aStep, anArtifact, newHome, runBody } from '../../support/run-body.js';
import { aTarget, built, codesOf, seal, verify } from './release.js';

const COMMIT = 'c'.repeat(40);
const { publishArtifacts, proveTarget } = makeBodies(['proveTarget', 'publishArtifacts'], {
  targets: createTargets({ patienceMs: 1_500 }),
  images: null,
  readBackWaitsMs: [20, 50],
});

withS3('a bucket as a target', () => {
  let server: Server;
  let door: FaultProxy;
  beforeAll(async () => {
    server = await aServer();
    door = await startFaultProxy(server.settings.endpoint!);
  });
  afterAll(async () => {
    await door.stop();
    await server.remove();
  });

  const target = (folder: string, more: { endpoint?: string; address?: string; password?: string } = {}) =>
    aTarget({
      name: 'files',
      kind: 's3',
      address: more.address ?? `s3://slipway/${folder}`,
      username: 'somebody',
      password: more.password ?? 'a secret of this test',
      extra: { kind: 's3', path: `main/${COMMIT}/{file}`, endpoint: more.endpoint ?? server.settings.endpoint! },
    });
  const at = (folder: string, name: string): string =>
    join(server.folder, 'data/slipway', folder, 'main', COMMIT, name);
  const wheel = (home: string, bytes: string) => anArtifact(home, 'skiff-1.2.3.whl', bytes, { kind: 'wheel' });
  const jar = (home: string) =>
    anArtifact(home, 'skiff-1.2.3.jar', 'jar', { kind: 'jar', labels: { platform: 'linux-x86_64' } });

  async function publishing(to: ReturnType<typeof target>, bytes = 'bytes') {
    const home = await newHome();
    const build = built([await wheel(home, bytes), await jar(home)]);
    const sealed = await seal(home, build);
    const step = aStep('publishArtifacts', { target: to, of: [build.step], tags: [] }, { id: 'publish/files' });
    return { home, publish: () => runBody(publishArtifacts, step, { home, inputs: [sealed, build] }) };
  }
  const thrown = async (promise: Promise<unknown>): Promise<readonly string[]> =>
    codesOf(await promise.catch((error: unknown) => error));

  it('given files, then the bucket gets them once under real names, and they are read back', async () => {
    const { home, publish } = await publishing(target('first'));
    const { made, result } = await publish();
    expect(made.note).toBe('2 files uploaded');
    expect(readFileSync(at('first', 'skiff-1.2.3.whl'), 'utf8')).toBe('bytes');
    expect(readdirSync(dirname(at('first', 'jars/linux-x86_64/x')))).toEqual(['skiff-1.2.3.jar']);
    expect(made.facts?.['published']).toContainEqual(
      expect.objectContaining({ url: `s3://slipway/first/main/${COMMIT}/skiff-1.2.3.whl` }),
    );
    expect((await publish()).made).toMatchObject({ reused: true, note: '2 files already there' });
    expect((await verify(home, target('first'), result)).made.note).toBe('2 compared');
  });

  it('given other bytes under a name, then it is a conflict by the bytes, not by metadata', async () => {
    mkdirSync(dirname(at('other', 'x')), { recursive: true });
    writeFileSync(at('other', 'skiff-1.2.3.whl'), 'theirs');
    const { publish } = await publishing(target('other'));
    expect(await thrown(publish())).toEqual(['OTHER_BYTES']);
    expect(readFileSync(at('other', 'skiff-1.2.3.whl'), 'utf8')).toBe('theirs');
  });

  it('given an object altered after the upload, then verification fails', async () => {
    const { home, publish } = await publishing(target('altered'));
    const { result } = await publish();
    writeFileSync(at('altered', 'skiff-1.2.3.whl'), 'bytez');
    expect(await thrown(verify(home, target('altered'), result))).toEqual(['VERIFY_OTHER_BYTES']);
  });

  it('given two runs at the same time, then both succeed and the file has its bytes', async () => {
    const [one, two] = [await publishing(target('race')), await publishing(target('race'))];
    await Promise.all([one.publish(), two.publish()]);
    expect(readFileSync(at('race', 'skiff-1.2.3.whl'), 'utf8')).toBe('bytes');
  });

  it('given a proof, then it starts and aborts an upload, and leaves nothing', async () => {
    const step = aStep('proveTarget', { target: target('proof'), project: 'skiff', version: '1.2.3', tags: [] });
    const { made } = await runBody(proveTarget, step, { home: await newHome() });
    expect(made.note).toBe('answers; names are compared once they are built');
    expect(readdirSync(join(server.folder, 'data/slipway'))).not.toContain('proof');
  });

  it.each([
    ['a key that is refused', () => target('x', { password: 'another secret' }), 'TARGET_DENIED'],
    ['a missing bucket', () => target('x', { address: 's3://nowhere/x' }), 'TARGET_BUCKET_MISSING'],
    ['an invalid address', () => target('x', { address: 'ftp://x' }), 'TARGET_REFUSED'],
    ['a server that is down', () => target('x', { endpoint: 'http://127.0.0.1:9' }), 'TARGET_UNREACHABLE'],
  ])('given %s, then it is reported before anything is built', async (_, to, code) => {
    const step = aStep('proveTarget', { target: to(), project: 'skiff', version: '1.2.3', tags: [] });
    expect(await thrown(runBody(proveTarget, step, { home: await newHome() }))).toEqual([code]);
  });

  // Of two files the first one arrives and its answer does not: the second is sent by the next try.
  const EXPECTED: Readonly<Partial<Record<FaultName, FailureClass>>> = {
    'stores it and answers 500': 'infra',
    'answers 200 and stores nothing': 'infra',
    'answers 429 with Retry-After': 'infra',
    'answers a page for people': 'infra',
    'sends us elsewhere': 'config',
    'stores it and cuts the answer': 'infra',
    'is down': 'infra',
  };
  it.each((Object.keys(FAULTS) as FaultName[]).filter((fault) => fault in EXPECTED))(
    'given a proxy that %s, then each file is there once in the end',
    async (fault) => {
      const folder = fault.replace(/\W+/g, '-');
      const { publish } = await publishing(target(folder, { endpoint: door.address.replace(/\/$/, '') }));
      door.hits = ({ method }) => method === 'PUT';
      door.fault = fault;
      const outcome = await publish().then(
        () => 'published',
        (error: unknown) => (error as { problems: readonly { class: FailureClass }[] }).problems[0]!.class,
      );
      door.fault = null;
      expect(outcome).toBe(EXPECTED[fault]);
      await publish();
      expect(readFileSync(at(folder, 'skiff-1.2.3.whl'), 'utf8')).toBe('bytes');
    },
  );
});
