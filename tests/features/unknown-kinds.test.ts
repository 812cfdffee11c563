import { reproduceStep } from '../../src/activities/reproduce/reproduce-step.js';
import { exitAs } from '../../src/cli/exit-as.js';
import { colours } from '../../src/cli/render/paint.js';
import { liveLines } from '../../src/cli/render/live.js';
import { approvalLines } from '../../src/cli/screens/approval.js';
import { endingLines } from '../../src/cli/screens/ending.js';
import { honestyLines } from '../../src/cli/screens/honesty.js';
import { planLines } from '../../src/cli/screens/plan.js';
import { attemptsOf } from '../../src/cli/tests/test-attempts.js';
import { gateStatus } from '../../src/engine/gates/gate-rules.js';
import { targetsOf } from '../../src/engine/gates/targets.js';
import type { Manifest } from '../../src/engine/ledger/manifest.js';
import { simulate } from '../../src/engine/simulate/simulate.js';
import { whyMade, whyReused, partsIn } from '../../src/engine/why/made.js';
import { whyPlanned } from '../../src/engine/why/planned.js';
import type { StepStatus } from '../../src/model/messages.js';
import type { Plan, Step, StepOf } from '../../src/model/plan.js';
import { provedRecord } from '../../src/model/proved-records.js';
import { records } from '../../src/model/run-folder.js';
import { secretsOf } from '../../src/model/secret.js';
import { planFault } from '../../src/model/schema/plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { aTarget } from '../activities/publish/release.js';
import { aReport, aRun, aStep, START } from '../cli/a-run.js';
import { fakeStore } from '../cli/fake-ports.js';
import { aGate, aRule } from '../engine/a-gate.js';
import { HEAD, planOf, sha256, someFacts } from '../plan/a-plan.js';
import { aResult } from '../support/run-body.js';

/** A program with a feature that this one does not have wrote the plan, its run and its results. */
const paint = colours(false);
const ID = 'nobodys/one';
const known = planOf(`${HEAD}steps: { pack: { run: 'true', outputs: [a.txt] } }\n`);
const scan = { ...known.steps.at(-1)!, ...{ id: ID, kind: 'nobodysKind', stage: 'nobodys', params: { at: 'here' } } };
const foreign = scan as unknown as StepOf<'runCommand'>;
const made: Plan = { ...known, steps: [...known.steps, foreign as Step] };

const ran = (state: StepStatus['state'], more: Partial<StepStatus> = {}): StepStatus => ({
  ...aStep('steps/pack', 'runCommand', state, { at: 0, ...more }),
  ...({ id: ID, kind: 'nobodysKind', stage: 'nobodys' } as object),
});
const problems = [{ code: 'GONE', class: 'lost', message: 'gone', next: 'Wait.' }] as const;

test('given a step of an unknown kind that runs, then the live tree names its stage and its kind', () => {
  const status = aRun({ steps: [aStep('steps/pack', 'runCommand', 'done', { at: 0, ms: 1 }), ran('running')] });
  const lines = liveLines(status, { now: START + 20_000, columns: 100, rows: 40, paint });
  expect(lines.slice(-3)).toEqual([
    '✓ steps    1 step  0.0 s',
    '● nobodys  0 of 1 step  20.0 s',
    '    › nobodys/one  running a step of the unknown kind nobodysKind  20.0 s',
  ]);
});

test('given a run that ended, then its screens have the stage, its products, and an exit code', async () => {
  const status = aRun({ steps: [ran('failed', { ms: 5, problems })], state: 'ended' });
  const ending = { status, report: null, path: null, notices: [], findingsAfter: [], standings: null, attempts: [] };
  const lines = endingLines({ ...ending, page: null, file: null, next: { again: 'slipway run', moved: false } }, paint);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}nobodys +0\.0 s {2}1 step$/));
  expect(
    honestyLines({ ...aReport(), notRun: [{ step: ID, names: ['a'], because: 'no test takes it' }] }, paint),
  ).toContainEqual(expect.stringContaining(ID));
  expect(exitAs('ray', status, 1)).toBe(1);
  expect(await attemptsOf(status, fakeStore({}))).toEqual([]);
});

test('given a plan with an unknown kind, then it is drawn, simulated and explained', async () => {
  expect(planLines(made, 'sha256:0', paint)).toContainEqual(expect.stringMatching(/^nobodys +nobodys\/one/));
  expect(whyPlanned(ID, made).because).toContain('running a step of the unknown kind nobodysKind');
  const skeleton = skeletonOf(made, sha256('p'), someFacts().queues);
  const crew = { workers: 1, slots: 1 };
  const fleet = { queues: { control: crew, 'linux-x86_64': crew }, durations: {} };
  expect(simulate(skeleton, fleet)).toMatchObject({ releases: 1 });
  const store = fakeStore({});
  const making = {
    ...{
      kind: foreign.kind,
      release: 'skiff',
      result: aResult(foreign),
      fresh: false,
      notLookedUp: false,
      earlier: null,
    },
    parts: await partsIn(store, 'r1', made, foreign),
  };
  expect(making.parts).toBeNull();
  expect(whyMade(making, sha256)).toMatchObject({ because: 'this program does not know its kind, nobodysKind' });
  expect(whyReused(making, null)).toMatch(/^its key \w+ is known/);
});

test('given a target of an unknown kind, then an approver sees it, and all that it is offered', () => {
  const target = aTarget({ name: 'board', kind: 'shelf' as 's3', address: 'https://shelf.example/' });
  const publish = {
    ...known.steps.at(-1)!,
    ...{ id: 'publish/board/pack', kind: 'publishArtifacts', stage: 'publish' },
  };
  const plan = {
    ...made,
    steps: [{ ...publish, params: { target, of: ['steps/pack'], tags: [] } } as unknown as Step],
  };
  const artifact = {
    kind: 'file',
    name: 'a.txt',
    digest: sha256('a'),
    size: 1,
    labels: {},
    step: 'steps/pack',
    notes: [],
  } as const;
  const manifest: Manifest = {
    slipway: 1,
    ...{ release: plan.release, source: plan.source, artifacts: [], evidence: [artifact], done: [] },
    ...{ dropped: [], notRun: [], skipped: [], findings: [] },
  };
  const gate = gateStatus(aRule(), aGate({ targets: targetsOf(plan, (address) => address) }), 0);
  const lines = approvalLines({ plan, manifest, gate, status: aRun(), all: true }, paint);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^board \(shelf https:\/\/shelf\.example\/.*\) gets 1 file, 1 B:$/),
      '  this program does not know the kind shelf: the target may get fewer of these',
      expect.stringMatching(/^ {2}a\.txt/),
    ]),
  );
});

test('given an unknown kind, then a person who would repeat it, and a worker that would carry it out, are told its name', async () => {
  const asked = reproduceStep({ plan: sha256('p'), step: ID } as never, { planOf: async () => made } as never);
  await expect(asked).rejects.toThrow(
    'NOT_REPRODUCIBLE: nobodys/one is of kind nobodysKind, which this program does not know',
  );
  expect(planFault(made)).toBe(
    `steps.${made.steps.length - 1}.kind: this program does not know the kind "nobodysKind"`,
  );
});

test('given variables of a step of an unknown kind, then they are taken for secrets, because nothing says that they are none', () => {
  const step = { ...foreign, params: { env: { TOKEN: '$SCAN_TOKEN', MODE: 'all' } } } as unknown as Step;
  expect(secretsOf({ ...made, steps: [...known.steps, step] })).toEqual(['$SCAN_TOKEN']);
  expect(secretsOf({ ...made, steps: [...known.steps, { ...step, kind: 'runCommand' } as Step] })).toEqual([]);
});

test('given an unknown prefix of ids, then its results are read with the key of workers', () => {
  expect(provedRecord(records.result('r1', ID))).toMatchObject({ role: 'worker', step: ID });
});
