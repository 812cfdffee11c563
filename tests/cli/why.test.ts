/** @slow */
import type { RunStatus, StepStatus } from '../../src/model/messages.js';
import { MADE_ANEW } from '../../src/engine/why/made.js';
import { WAITS_FOR } from '../../src/engine/why/waits.js';
import { TELLS, type Why } from '../../src/engine/why/why.js';
import { KINDS } from '../../src/model/kinds.js';
import { records } from '../../src/model/run-folder.js';
import { expectGolden } from '../support/golden.js';
import { aStep, compileError, START } from './a-run.js';
import { aWhyPlan, file, PUBLISH, Releases, SEAL, SOURCE, TEST, WHEEL } from './a-why.js';

const seen: Why[] = [];

/** An answer as people see it, in a file of its own; what is behind it is kept for the last test. */
async function answers(name: string, from: Releases, ...asked: Asked): Promise<void> {
  const [step, run, told, more = {}] = asked;
  seen.push(JSON.parse(await from.ask(step, run, told, more, true)) as Why);
  expectGolden(`why/${name}.txt`, await from.ask(...asked));
}
type Asked = [step: string, run: string, told: readonly StepStatus[], more?: Partial<RunStatus>];

const MADE = [SOURCE, WHEEL];
const ALL = [SOURCE, WHEEL, TEST, SEAL, PUBLISH];
const releases = new Releases();

beforeAll(async () => {
  await releases.run('first', 1, aWhyPlan(), ALL);
  await releases.run('same', 2, aWhyPlan(), ALL, { reused: true });
  await releases.run('flags', 3, aWhyPlan({ flags: '-O3' }), ALL);
  await releases.run('source', 4, aWhyPlan({ flags: '-O3', project: 'skiff2' }), ALL, { text: 'two' });
  const bundle = [file('ci/build.sh', 'other'), file('ci/new.sh'), file('README')];
  await releases.run('files', 5, aWhyPlan({ flags: '-O3', project: 'skiff2' }, { bundle }), ALL);
  await releases.run(
    'now',
    6,
    aWhyPlan(
      { flags: '-O1' },
      { dropped: [{ id: 'wheels/skiff/cp313', because: 'wheels.skiff.exclude: python 3.13 on this platform' }] },
    ),
    [SOURCE],
  );
});

const done = (id: string): StepStatus => aStep(id, 'buildWheel', 'done', { ms: 5 });

describe('why a step was made or reused', () => {
  test.each<[string, string, string, StepStatus['state']]>([
    ['first', 'first', WHEEL, 'done'],
    ['reused', 'same', WHEEL, 'cached'],
    ['reused-in-the-world', 'same', PUBLISH, 'cached'],
    ['a-parameter', 'flags', WHEEL, 'done'],
    ['its-input', 'source', WHEEL, 'done'],
    ['the-input-itself', 'source', SOURCE, 'done'],
    ['files', 'files', WHEEL, 'done'],
    ['each-time', 'same', SEAL, 'done'],
    ['asks-each-time', 'flags', PUBLISH, 'done'],
  ])('given the case %s, then the answer equals its golden file', async (name, run, step, state) => {
    const stand = aStep(step, 'buildWheel', state, { ms: 5 });
    await answers(name, releases, step, run, [stand]);
  });
});

const WAITING = aStep(WHEEL, 'buildWheel', 'waiting');
const TESTING = aStep(TEST, 'runTest', 'waiting');
const HELD = aStep(WHEEL, 'buildWheel', 'held', { ms: 5, problems: [compileError] });
const outage = { service: 'docker', since: START, steps: 2, message: 'the engine answers 503', next: 'Start it.' };
const queue = { queue: 'control', since: START, steps: 3, could: 'somebody' };
const gate = {
  ...{
    name: 'ship',
    manifest: `sha256:${'c'.repeat(64)}` as const,
    quorum: 1,
    signed: 'required' as const,
    expiresMs: 1,
  },
  ...{ approvers: [], keys: [], approvals: [], targets: [], nonce: 'n', next: '`slipway approve ship`' },
};

describe('why a step has not ended', () => {
  test.each<[string, string, readonly StepStatus[], Partial<RunStatus>]>([
    ['waits-for-a-step', WHEEL, [aStep(SOURCE, 'takeSdist', 'running'), WAITING], {}],
    ['waits-down-to-a-hold', SEAL, [done(SOURCE), HELD, TESTING, aStep(SEAL, 'sealManifest', 'waiting')], {}],
    [
      'waits-for-a-gate',
      PUBLISH,
      [
        aStep(SEAL, 'passGate', 'at gate', { because: '0 of 1 approvals', gate }),
        aStep(PUBLISH, 'publishArtifacts', 'waiting'),
      ],
      {},
    ],
    [
      'waits-for-a-wanted-step',
      SEAL,
      [
        done(WHEEL),
        aStep(TEST, 'runTest', 'backing off', { because: 'infra: try again 1 of 5' }),
        aStep(SEAL, 'sealManifest', 'waiting'),
      ],
      {},
    ],
    ['waits-for-a-worker', WHEEL, [done(SOURCE), WAITING], { waiting: [queue] }],
    [
      'waits-for-a-service',
      WHEEL,
      [done(SOURCE), { ...WAITING, because: 'docker does not answer' }],
      { outages: [outage] },
    ],
    ['waits-for-resume', WHEEL, [done(SOURCE), WAITING], { paused: 'lunch (ada)' }],
    [
      'waits-for-a-place',
      WHEEL,
      [done(SOURCE), WAITING, aStep(TEST, 'runTest', 'running'), aStep(SEAL, 'sealManifest', 'running')],
      {},
    ],
    ['waits-for-nothing', WHEEL, [done(SOURCE), WAITING, aStep(TEST, 'runTest', 'running')], {}],
    [
      'runs',
      WHEEL,
      [done(SOURCE), aStep(WHEEL, 'buildWheel', 'running', { at: 5, because: 'the store does not answer' })],
      {},
    ],
    ['waits-for-a-slot', WHEEL, [done(SOURCE), aStep(WHEEL, 'buildWheel', 'running', { at: 5, queued: true })], {}],
    [
      'tries-again',
      WHEEL,
      [
        done(SOURCE),
        aStep(WHEEL, 'buildWheel', 'backing off', { because: 'infra: try again 1 of 5', problems: [compileError] }),
      ],
      {},
    ],
    ['held', WHEEL, [done(SOURCE), HELD], {}],
    ['at-gate', SEAL, [aStep(SEAL, 'passGate', 'at gate', { because: '0 of 1 approvals', gate })], {}],
    ['failed', WHEEL, [done(SOURCE), { ...HELD, state: 'failed' }], {}],
    [
      'skipped',
      SEAL,
      [
        done(SOURCE),
        { ...HELD, state: 'failed' },
        aStep(TEST, 'runTest', 'skipped', { because: `${WHEEL} failed` }),
        aStep(SEAL, 'sealManifest', 'skipped', { because: `${WHEEL} failed` }),
      ],
      {},
    ],
    ['left-out', WHEEL, [done(SOURCE), aStep(WHEEL, 'buildWheel', 'skipped', { because: 'no time today (ada)' })], {}],
    [
      'cancelled',
      WHEEL,
      [done(SOURCE), aStep(WHEEL, 'buildWheel', 'cancelled', { because: 'not today' })],
      { state: 'cancelling' },
    ],
    ['dropped', 'wheels/skiff/cp313', [done(SOURCE)], {}],
  ])('given the case %s, then the answer equals its golden file', async (name, step, told, more) => {
    await answers(name, releases, step, 'now', told, more);
  });
});

test('given a truncated status, then the reason comes from the store', async () => {
  expect(await releases.ask(WHEEL, 'same', [])).toBe(await releases.ask(WHEEL, 'same', [done(WHEEL)]));
  expect(await releases.ask(WHEEL, 'same', [])).toContain('was reused');
});

test('given a lost plan of the earlier run, then the changed key is not explained by a guess', async () => {
  const own = new Releases();
  await own.run('first', 1, aWhyPlan(), MADE);
  await own.run('then', 2, aWhyPlan({ flags: '-O3' }), MADE);
  await own.losePlan('first');
  await answers('unknown', own, WHEEL, 'then', [done(WHEEL)]);
});

test('given a result whose bytes are lost, then the step was made again with the same key', async () => {
  const own = new Releases();
  await own.run('first', 1, aWhyPlan(), MADE);
  const store = await own.store();
  const { artifacts } = (await store.read<{ artifacts: { digest: string }[] }>(records.result('first', WHEEL)))!;
  await own.lose(artifacts[0]!.digest);
  await own.run('then', 2, aWhyPlan(), MADE);
  await answers('lost', own, WHEEL, 'then', [done(WHEEL)]);
});

test('given a step that an operator reran, then the answer says so', async () => {
  const own = new Releases();
  await own.run('first', 1, aWhyPlan(), MADE);
  await own.run('then', 2, aWhyPlan(), MADE);
  await (
    await own.store()
  ).create(records.rounds('then', 2), { round: 2, from: WHEEL, steps: [WHEEL, TEST, SEAL, PUBLISH] });
  await own.run('then', 2, aWhyPlan(), [WHEEL], { round: 2 });
  await answers('told', own, WHEEL, 'then', [done(WHEEL)]);
});

test('given --no-cache, then the answer says that the cache was not used, though the bytes are equal', async () => {
  const own = new Releases();
  await own.run('first', 1, aWhyPlan(), MADE);
  await (await own.store()).create(records.noCache('then'), { steps: [WHEEL] });
  await own.run('then', 2, aWhyPlan(), [SOURCE]);
  await own.run('then', 2, aWhyPlan(), [WHEEL], { noCache: true });
  await answers('not-looked-up', own, WHEEL, 'then', [done(WHEEL)]);
});

test('given a raised epoch of a kind, then the answer names the field epoch', async () => {
  const own = new Releases();
  await own.run('first', 1, aWhyPlan(), MADE);
  const kind = KINDS.buildWheel as { epoch: number };
  kind.epoch++;
  try {
    await own.run('then', 2, aWhyPlan(), MADE);
    await answers('epoch', own, WHEEL, 'then', [done(WHEEL)]);
  } finally {
    kind.epoch--;
  }
});

test('given --json, then every field is printed, also those beyond the screen', async () => {
  const told = JSON.parse(await releases.ask(WHEEL, 'files', [done(WHEEL)], {}, true)) as Record<string, unknown>;
  expect(told).toMatchObject({
    step: WHEEL,
    state: 'done',
    made: {
      reason: 'changed',
      against: { run: 'source', workflowId: 'rehearsal/skiff/1.2.3' },
      changed: expect.arrayContaining([
        expect.objectContaining({ field: 'files.ci/build.sh' }),
        expect.objectContaining({ field: 'files.ci/new.sh', before: null }),
      ]),
    },
  });
});

test.each([
  ['nothing', 'nowhere', 'NO_SUCH_STEP'],
  ['many', 's', 'MANY_STEPS'],
])('given a name that matches %s, then it is refused', async (_, asked, code) => {
  await expect(releases.ask(asked, 'first', [])).rejects.toMatchObject({ problems: [{ code }] });
});

test('given every reason to run, every kind of wait and every state, then a golden file shows it', () => {
  const had = (all: readonly (string | undefined)[]) => [...new Set(all.filter((one) => one !== undefined))].sort();
  expect(had(seen.map(({ made }) => made?.reason))).toEqual([...MADE_ANEW].sort());
  expect(had(seen.flatMap(({ waits = [] }) => waits.map((wait) => wait.for)))).toEqual([...WAITS_FOR].sort());
  expect(had(seen.map(({ state }) => state))).toEqual(Object.keys(TELLS).sort());
});
