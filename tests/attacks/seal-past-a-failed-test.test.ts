import { makeBodies } from '../../src/activities/kind-bodies.js';
import type { Audited } from '../../src/model/actions.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import { codesOf, built } from '../activities/publish/release.js';
import { anArtifact, aStep, newHome, realSurroundings, RUN, runBody } from '../support/run-body.js';

const { sealManifest } = makeBodies(['sealManifest'], {});
const COMMAND = { run: 'make', env: {}, folder: '.', where: { in: 'host' }, outputs: [], expect: null } as const;
const TEST = 'steps/test';

/** The signed plan of a run whose wheel was built and whose test failed. A program asks its worker for the seal.
 * @param more of the test */
async function askForTheSeal(more: Partial<Step> = {}, audited: readonly Audited[] = [], plan: Partial<Plan> = {}) {
  const home = await newHome();
  const { store } = realSurroundings(home);
  for (const one of audited) await store.create(records.audit(RUN, one.no), one);
  const wheel = await anArtifact(home, 'skiff-1.2.3-py3-none-any.whl', 'bytes', { kind: 'wheel' });
  const steps = [
    aStep('runCommand', COMMAND, { id: 'wheels/skiff' }),
    { ...aStep('runCommand', COMMAND, { id: TEST, needs: ['wheels/skiff'] }), ...more } as Step,
    aStep('runCommand', COMMAND, { id: 'steps/after-the-test', needs: [TEST] }),
  ];
  const wants = steps.map(({ id }) => id);
  const step = aStep('sealManifest', {}, { id: 'seal/manifest', stage: 'seal', wants });
  return runBody(sealManifest, step, { home, inputs: [built([wheel])], plan: { steps, ...plan } });
}

const action = (sent: object, ok = true): Audited =>
  ({ no: 1, at: 0, sent, answer: ok ? { ok, did: '', steps: [] } : { ok, problem: {} } }) as unknown as Audited;
const skip = { action: 'skip', step: TEST, reason: 'no GPU today', by: 'kim' };

describe('[D1] a program asks for a seal although a wanted test failed', () => {
  test.each<[string, Parameters<typeof askForTheSeal>]>([
    ['nobody left it out', []],
    ['its skip was refused', [{}, [action(skip, false)]]],
    ['a skip names a step that has a result', [{}, [action({ ...skip, step: 'wheels/skiff' })]]],
    ['another action names it', [{}, [action({ ...skip, action: 'retry' })]]],
  ])('given that %s, then nothing is sealed, and the problem names the step and what to type', async (_, asked) => {
    const failure: unknown = await askForTheSeal(...asked).catch((thrown: unknown) => thrown);
    expect(codesOf(failure)).toEqual(['SEAL_UNEXPLAINED']);
    expect((failure as { problems: readonly object[] }).problems).toMatchObject([
      { message: expect.stringContaining(TEST), next: expect.stringContaining(`slipway skip ${TEST} --reason`) },
    ]);
  });

  test.each<[string, Parameters<typeof askForTheSeal>]>([
    ['an operator skipped it', [{}, [action(skip)]]],
    ['its failure is tolerated', [{ tolerate: 'jailed: core until 2026-12-06' }]],
    [
      'the plan dropped it and what needs it',
      [{}, [], { dropped: [TEST, 'steps/after-the-test'].map((id) => ({ id, because: 'no gpu queue' })) }],
    ],
  ])('given that %s, then the run is sealed, and so is what needed the test', async (_, asked) => {
    const { made } = await askForTheSeal(...asked);
    expect(made.note).toContain('2 left out');
  });
});
