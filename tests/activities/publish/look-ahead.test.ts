/** @needs registries */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublishArtifacts } from '../../../src/activities/publish/publish-artifacts.js';
import type { Item, Observed, PublishTarget } from '../../../src/activities/publish/ports.js';
import { ledgerPrefix } from '../../../src/engine/ledger/entry.js';
import type { Step } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import type { Audited } from '../../../src/model/actions.js';
import { startMavenRepository, type TestServer } from '../../support/registries.js';
import { anArtifact, aStep, newHome, realSurroundings, RUN, runBody, sha256 } from '../../support/run-body.js';
import { aTarget, bodies, built, codesOf, seal, sealAndPublish } from './release.js';

let maven: TestServer;
beforeAll(async () => void (maven = await startMavenRepository(mkdtempSync(join(tmpdir(), 'slipway-maven-')))));
afterAll(() => maven.stop());

const jar = async (home: string, artifactId: string, bytes: string) =>
  built(
    [
      await anArtifact(home, `${artifactId}-1.0.jar`, bytes, {
        kind: 'jar',
        labels: { groupId: 'org.example', artifactId, version: '1.0', extension: 'jar' },
      }),
    ],
    `jars/${artifactId}`,
  );

test('given one file in conflict, then no other file is uploaded, whichever step runs first', async () => {
  const target = aTarget({ kind: 'maven', address: maven.address });
  const theirs = await newHome();
  await sealAndPublish(theirs, target, await jar(theirs, 'taken', 'theirs'));

  const home = await newHome();
  const free = await jar(home, 'free', 'ours');
  const taken = await jar(home, 'taken', 'ours');
  const step = (of: string, name: string) =>
    aStep('publishArtifacts', { target: { ...target, name }, of: [of], tags: [] }, { id: `publish/${name}/${of}` });
  const steps = [step('jars/free', 'here'), step('jars/taken', 'there')] as unknown as readonly Step[];
  const error = await runBody(bodies().publishArtifacts, step('jars/free', 'here'), {
    ...{ home, inputs: [await seal(home, free, taken), free], plan: { steps } },
  }).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['OTHER_BYTES']);
  expect((await fetch(`${maven.address}org/example/free/1.0/free-1.0.jar`)).status).toBe(404);
});

test('given a skipped step, then its files are not checked, and the others are uploaded', async () => {
  const target = aTarget({ kind: 'maven', address: maven.address });
  const theirs = await newHome();
  await sealAndPublish(theirs, target, await jar(theirs, 'held', 'theirs'));

  const home = await newHome();
  const [free, held] = [await jar(home, 'other', 'ours'), await jar(home, 'held', 'ours')];
  const step = (of: string) => aStep('publishArtifacts', { target, of: [of], tags: [] }, { id: `publish/shelf/${of}` });
  const steps = [step('jars/other'), step('jars/held')] as unknown as readonly Step[];
  const sealed = await seal(home, free, held);
  const publish = () =>
    runBody(bodies().publishArtifacts, step('jars/other'), { home, inputs: [sealed, free], plan: { steps } });
  expect(codesOf(await publish().catch((thrown: unknown) => thrown))).toEqual(['OTHER_BYTES']);
  const skip: Audited = {
    ...{ no: 1, at: 0 },
    sent: { action: 'skip', step: 'publish/shelf/jars/held', reason: 'theirs stays' },
    answer: { ok: true, did: '', steps: [] },
  };
  await realSurroundings(home).store.create(records.audit(RUN, 1), skip);
  expect((await publish()).made.note).toBe('1 file uploaded');
});

test('given a seal of another round, then its files are checked and claimed again', async () => {
  const target = aTarget({ kind: 'maven', address: maven.address });
  const theirs = await newHome();
  await sealAndPublish(theirs, target, await jar(theirs, 'later', 'theirs'));

  const home = await newHome();
  await sealAndPublish(home, target, await jar(home, 'first', 'ours'));
  const [first, later] = [await jar(home, 'first', 'anew'), await jar(home, 'later', 'ours')];
  const step = (of: string) => aStep('publishArtifacts', { target, of: [of], tags: [] }, { id: `publish/${of}` });
  const steps = [step('jars/first'), step('jars/later')] as unknown as readonly Step[];
  const error = await runBody(bodies().publishArtifacts, step('jars/first'), {
    ...{ home, inputs: [await seal(home, first, later), first], plan: { steps } },
  }).catch((thrown: unknown) => thrown);
  expect(codesOf(error)).toEqual(['OTHER_BYTES', 'OTHER_BYTES']);
});

test('given a target that shows other bytes after an upload, then it is a conflict and not recorded as done', async () => {
  const home = await newHome();
  let sent = false;
  const lying: PublishTarget = {
    prove: async () => [],
    items: (artifact) => [{ artifact, name: artifact.name, url: 'http://127.0.0.1/' }],
    observe: async (): Promise<Observed> =>
      sent ? { state: 'present', digest: sha256('altered on the way') } : { state: 'absent' },
    upload: async (items: readonly Item[]) => void (sent = items.length > 0),
    source: async () => ({ address: '', credential: null }),
  };
  const body = createPublishArtifacts({ targets: { open: () => lying, pointers: () => null }, images: null });
  const build = await jar(home, 'altered', 'bytes');
  const step = aStep('publishArtifacts', { target: aTarget({ kind: 'maven' }), of: [build.step], tags: [] });
  const error = await runBody(body, step, { home, inputs: [await seal(home, build), build] }).catch(
    (thrown: unknown) => thrown,
  );
  expect(codesOf(error)).toEqual(['OTHER_BYTES']);
  const { store } = realSurroundings(home);
  const lines = await store.list(ledgerPrefix('local', 'shelf', 'altered-1.0.jar'));
  expect(lines.map((line) => line.replace(/.*\/(\w+)-.*/, '$1'))).toEqual(['wanted']);
});
