import { expectations } from '../../../src/engine/forecast/durations.js';
import type { Durations } from '../../../src/model/durations.js';
import type { Manifest } from '../../../src/engine/ledger/manifest.js';
import type { Report } from '../../../src/model/report.js';
import { records } from '../../../src/model/run-folder.js';
import { aPlan, aResult, aStep, anArtifact, newHome, runBody, sha256 } from '../../support/run-body.js';
import { bodies, built, codesOf, aTarget } from './release.js';

const RUN = '0123456789abcdef';

test('given results, then the seal names every digest and is the same in every run', async () => {
  const seal = async () => {
    const home = await newHome();
    const wheel = await anArtifact(home, 'skiff-1.2.3-py3-none-any.whl', 'bytes', { kind: 'wheel' });
    const step = aStep('sealManifest', {}, { id: 'seal/manifest', wants: ['wheels/skiff', 'tests/gpu'] });
    const plan = { dropped: [{ id: 'tests/gpu', because: 'no gpu queue' }] };
    return { wheel, ...(await runBody(bodies().sealManifest, step, { home, inputs: [built([wheel])], plan })) };
  };
  const [first, second] = [await seal(), await seal()];
  const digest = first.made.artifacts[0]!.digest;
  expect(first.made).toMatchObject({
    note: '1 artifact sealed, 1 of them not run, 1 left out',
    facts: { manifest: digest },
  });
  expect(second.made.artifacts[0]!.digest).toBe(digest);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await first.around.store.get(digest)) chunks.push(chunk);
  const manifest = JSON.parse(Buffer.concat(chunks).toString()) as Manifest;
  expect(manifest.artifacts).toMatchObject([
    { name: first.wheel.name, digest: first.wheel.digest, step: 'wheels/skiff' },
  ]);
});

test('given two wheels with one name and different bytes, then they are refused before anything is published', async () => {
  const home = await newHome();
  const wheel = (bytes: string) => anArtifact(home, 'skiff-1-py3-none-any.whl', bytes, { kind: 'wheel' });
  const inputs = [built([await wheel('a')], 'wheels/skiff/cp311'), built([await wheel('b')], 'wheels/skiff/cp312')];
  const sealing = runBody(bodies().sealManifest, aStep('sealManifest', {}), { home, inputs });
  expect(codesOf(await sealing.catch((thrown: unknown) => thrown))).toEqual(['NAME_TWICE']);
});

test('given a file outside the seal, then it is not published', async () => {
  const home = await newHome();
  const sealed = (await runBody(bodies().sealManifest, aStep('sealManifest', {}), { home })).result;
  const jar = await anArtifact(home, 'skiff-1.jar', 'bytes', {
    kind: 'jar',
    labels: { groupId: 'g', artifactId: 'skiff', version: '1' },
  });
  const target = aTarget({ kind: 'maven', address: 'http://127.0.0.1:1/' });
  const step = aStep('publishArtifacts', { target, of: ['jars/skiff'], tags: [] });
  const published = runBody(bodies().publishArtifacts, step, { home, inputs: [sealed, built([jar], 'jars/skiff')] });
  expect(codesOf(await published.catch((thrown: unknown) => thrown))).toEqual(['NOTHING_TO_PUBLISH']);
});

test('given any outcome, then the report says what was published where', async () => {
  const home = await newHome();
  const digest = sha256('bytes');
  const published = { name: 'skiff-1.2.3.whl', digest, url: 'http://127.0.0.1:1/skiff-1.2.3.whl' };
  const target = aTarget({});
  const steps = [
    aStep('publishArtifacts', { target, of: [], tags: [] }, { id: 'publish/shelf', stage: 'publish' }),
    aStep(
      'verifyTarget',
      { target, project: 'skiff', version: '1.2.3', of: [], run: null, python: null },
      { id: 'verify/shelf' },
    ),
  ];
  const report = aStep('writeReport', {}, { id: 'report/run' });
  const { around } = await runBody(async () => ({ artifacts: [], note: '' }), report, { home });
  const result = aResult(steps[0]!, { facts: { target: 'shelf', published: [published] }, note: '1 file uploaded' });
  await around.store.create(records.result(RUN, 'publish/shelf'), result);
  const { made } = await runBody(bodies().writeReport, report, { home, plan: aPlan({ steps }) });
  expect(made.note).toBe('1 name published');
  expect(await around.store.read<Report>(records.report(RUN))).toMatchObject({
    release: { name: 'skiff', version: '1.2.3' },
    manifest: null,
    published: [{ ...published, target: 'shelf', step: 'publish/shelf' }],
    steps: [
      { id: 'publish/shelf', outcome: 'done' },
      { id: 'verify/shelf', outcome: 'none' },
    ],
  });
});

test('given a report step, then its own duration is measured, so that the next forecast does not use its limit', async () => {
  const home = await newHome();
  const report = aStep('writeReport', {}, { id: 'report/run', limitMs: 300_000 });
  const { around } = await runBody(async () => ({ artifacts: [], note: '' }), report, { home });
  const at = '2026-11-22T12:00:00.000Z';
  await around.store.create(records.started(RUN), { run: RUN, workflowId: 'rehearsal/skiff/1.2.3', plan: null, at });
  const plan = aPlan({ steps: [report] });
  await runBody(bodies().writeReport, report, { home, plan });
  const measured = await around.store.read<Durations>(records.durations('skiff', at, RUN));
  expect(expectations([measured!], 'skiff')(report)).toMatchObject({ times: 1, by: 'step' });
});
