/** @long @needs registries */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sdistBytes, wheelBytes } from '../../support/publish-fixtures.js';
import { freePort } from '../../support/free-port.js';
import { DEVPI_PASSWORD, startDevpi, type TestServer } from '../../support/registries.js';
import { anArtifact, aStep, newHome, runBody } from '../../support/run-body.js';
import type { Connection } from '../../../src/activities/publish/ports.js';
import { lookedRecord } from '../../../src/engine/ledger/entry.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import type { Step } from '../../../src/model/plan.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { aTarget, bodies, built, codesOf, rehearse, seal, sealAndPublish, verify } from './release.js';

let devpi: TestServer;
beforeAll(async () => void (devpi = await startDevpi(mkdtempSync(join(tmpdir(), 'slipway-devpi-')))));
afterAll(() => devpi.stop());

const surroundings = { env: { ...process.env, INDEX_PASSWORD: DEVPI_PASSWORD, WRONG: 'wrong' } };
const target = (password = '$INDEX_PASSWORD') => aTarget({ address: devpi.address, username: 'root', password });
const wheel = async (home: string, version: string, text?: string) =>
  built([await anArtifact(home, `skiff-${version}-py3-none-any.whl`, wheelBytes(version, text), { kind: 'wheel' })]);
const prove = (home: string, version: string, password?: string) =>
  runBody(
    bodies().proveTarget,
    aStep('proveTarget', { target: target(password), project: 'skiff', version, tags: [] }, { id: 'prove/shelf' }),
    {
      home,
      surroundings,
    },
  );

test('given a wheel, then it is uploaded with twine, read back, installed by hash and run; a rerun changes nothing', async () => {
  const home = await newHome();
  expect((await prove(home, '1.2.3')).made.note).toBe('1.2.3 is free');
  const build = await wheel(home, '1.2.3');
  const first = await sealAndPublish(home, target(), build, { surroundings });
  expect(first.made.note).toBe('1 file uploaded');
  expect(first.log).not.toContain(DEVPI_PASSWORD);
  const [published] = first.made.facts!['published'] as { url: string }[];
  expect((await fetch(published!.url)).status).toBe(200);

  const run = 'python -c "import skiff; assert skiff.answer == \'1.2.3\'"';
  const verified = await verify(home, target(), first.result, { surroundings, run });
  expect(verified.made.note).toMatch(/^skiff 1\.2\.3 installed and run on /);
  const kept = await verify(home, target(), first.result, { surroundings, run, known: verified.result });
  expect(kept.made.reused).toBe(true);

  expect((await sealAndPublish(home, target(), build, { surroundings })).made).toMatchObject({ reused: true });
  expect((await prove(home, '1.2.3')).made.findings).toMatchObject([{ code: 'VERSION_IS_OURS' }]);
});

test('given a ledger of the target, when the version was uploaded by others, then it is refused', async () => {
  const theirs = await newHome();
  await sealAndPublish(theirs, target(), await wheel(theirs, '1.2.7', 'answer = 1'), { surroundings });
  const home = await newHome();
  await sealAndPublish(home, target(), await wheel(home, '1.2.6'), { surroundings });
  expect(codesOf(await prove(home, '1.2.7').catch((thrown: unknown) => thrown))).toEqual(['VERSION_EXISTS']);
});

test('given no ledger of the target, when the version exists, then its bytes are compared', async () => {
  const theirs = await newHome();
  await sealAndPublish(theirs, target(), await wheel(theirs, '1.2.8', 'answer = 1'), { surroundings });
  const home = await newHome();
  const { made } = await prove(home, '1.2.8');
  expect(made.findings).toMatchObject([{ level: 'warning', code: 'VERSION_IS_THERE' }]);
  const same = await sealAndPublish(home, target(), await wheel(home, '1.2.8', 'answer = 1'), { surroundings });
  expect(same.made).toMatchObject({ reused: true, note: '1 file already there' });

  const other = await newHome();
  const clash = sealAndPublish(other, target(), await wheel(other, '1.2.8', 'answer = 2'), { surroundings });
  expect(codesOf(await clash.catch((thrown: unknown) => thrown))).toEqual(['OTHER_BYTES']);
  // Having asked once is a ledger: the next run is told before it builds.
  expect(codesOf(await prove(other, '1.2.8').catch((thrown: unknown) => thrown))).toEqual(['VERSION_EXISTS']);
});

test('given other bytes under a published name, then it is a conflict', async () => {
  const home = await newHome();
  await sealAndPublish(home, target(), await wheel(home, '1.3.0', 'answer = 1'), { surroundings });
  const other = await newHome();
  const clash = sealAndPublish(other, target(), await wheel(other, '1.3.0', 'answer = 2'), { surroundings });
  expect(codesOf(await clash.catch((thrown: unknown) => thrown))).toEqual(['OTHER_BYTES']);
});

test('given a rehearsal with another plan, then its wheel replaces the one before, and comes back as it was', async () => {
  const home = await newHome();
  const login = () => ({ username: 'root', password: DEVPI_PASSWORD });
  const again = async (no: number, text: string) =>
    (
      await rehearse(home, aTarget({ address: devpi.address }), await wheel(home, '1.3.1', text), no, {
        surroundings: { login },
      })
    ).made;
  await again(1, 'answer = 1');
  for (const [no, text] of [
    [2, 'answer = 2'],
    [1, 'answer = 1'],
  ] as const) {
    const made = await again(no, text);
    expect(made).toMatchObject({
      note: "1 file uploaded, 1 file in place of an earlier rehearsal's",
      findings: [{ code: 'REHEARSAL_REPLACED' }],
    });
    const [{ url }] = made.facts!['published'] as [{ url: string }];
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(Buffer.from(wheelBytes('1.3.1', text)));
  }
  const index = (await (await fetch(devpi.address, { headers: { accept: 'application/json' } })).json()) as object;
  expect(index).toMatchObject({ result: { volatile: false } });
});

test('given a refused credential, then it is reported before anything is built', async () => {
  expect(codesOf(await prove(await newHome(), '1.4.0', '$WRONG').catch((thrown: unknown) => thrown))).toEqual([
    'TARGET_DENIED',
  ]);
});

test('given a verification line that fails after the install, then it is a failure of class product', async () => {
  const home = await newHome();
  const { result } = await sealAndPublish(home, target(), await wheel(home, '1.5.0'), { surroundings });
  const error = await verify(home, target(), result, { surroundings, run: 'python -c "import no_such"' }).catch(
    (thrown: unknown) => thrown,
  );
  expect(codesOf(error)).toEqual(['VERIFY_FAILED']);
  expect((error as SlipwayFailure).first.next).toMatch(/Who installs them gets no no_such.*`verify`/);
});

test('given an answer of the index to twine, then it becomes a code', async () => {
  const home = await newHome();
  await sealAndPublish(home, target(), await wheel(home, '1.6.0', 'answer = 1'), { surroundings });
  const push = (to: Connection, bytes: Uint8Array) =>
    runBody(
      async (work) => {
        const artifact = await anArtifact(home, 'skiff-1.6.0-py3-none-any.whl', bytes, { kind: 'wheel' });
        await createTargets()
          .open(to, work)
          .upload([{ artifact, name: artifact.name, url: '' }]);
        return { artifacts: [], note: '' };
      },
      aStep('writeReport', {}),
      { home, surroundings },
    ).catch((thrown: unknown) => thrown);
  const to: Connection = {
    ...target(),
    password: DEVPI_PASSWORD,
    staging: null,
    extra: null,
    secrets: {},
    version: '1.2.3',
  };
  const other = wheelBytes('1.6.0', 'answer = 2');
  expect(codesOf(await push({ ...to, password: 'wrong' }, other))).toEqual(['TARGET_DENIED']);
  expect(await push(to, other)).toMatchObject({
    problems: [{ code: 'TARGET_REFUSED', message: expect.stringContaining('409') as string }],
  });
  expect(codesOf(await push({ ...to, address: `http://127.0.0.1:${await freePort()}/` }, other))).toEqual([
    'TARGET_UNREACHABLE',
  ]);
});

test('given only an sdist, then verification builds it from the target and runs it', async () => {
  const home = await newHome();
  const sdist = await anArtifact(home, 'skiff-1.7.0.tar.gz', sdistBytes('1.7.0'), { kind: 'sdist' });
  const { result } = await sealAndPublish(home, target(), built([sdist]), { surroundings });
  const run = 'python -c "import skiff; assert skiff.answer == 42"';
  expect((await verify(home, target(), result, { surroundings, run })).made.note).toMatch(/^skiff 1\.7\.0 installed/);
});

test.each([
  ['before anything was sent', false, 'SEALED_BYTES_GONE'],
  ['after the run has looked at all of it', true, 'STORE_ALTERED'],
])(
  'given a sealed file altered in the store %s, then neither it nor its companions are uploaded',
  async (_when, looked, code) => {
    const home = await newHome();
    const version = looked ? '1.9.1' : '1.9.0';
    const { artifacts } = await wheel(home, version);
    const struck = await anArtifact(home, `skiff-${version}.tar.gz`, sdistBytes(version), { kind: 'sdist' });
    const build = built([...artifacts, struck]);
    const sealed = await seal(home, build);
    const hex = struck.digest.slice('sha256:'.length);
    const object = join(home, 'store', 'cas', 'sha256', hex.slice(0, 2), hex);
    chmodSync(object, 0o644);
    const bytes = readFileSync(object);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(object, bytes);
    const step = aStep(
      'publishArtifacts',
      { target: target(), of: [build.step], tags: [] },
      { id: 'publish/shelf', needs: [] },
    );
    const run = { home, inputs: [sealed, build], plan: { steps: [step as Step] }, surroundings };
    if (looked)
      await createDirectoryStore(join(home, 'store')).create(
        lookedRecord('0123456789abcdef', sealed.artifacts[0]!.digest),
        { step: step.id },
      );
    expect(codesOf(await runBody(bodies().publishArtifacts, step, run).catch((thrown: unknown) => thrown))).toEqual([
      code,
    ]);
    expect((await prove(home, version)).made.note).toBe(`${version} is free`);
  },
);
