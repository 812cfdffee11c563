/** @slow */
import { gzipSync } from 'node:zlib';
import type { GateStatus } from '../../src/model/gate.js';
import type { RunStatus, StepStatus, WaitingQueue } from '../../src/model/messages.js';
import { KINDS, type KindName } from '../../src/model/kinds.js';
import { STAGE_IDS } from '../../src/model/stages.js';
import { details } from '../../src/workflows/details.js';
import { fitting } from '../../src/workflows/fitting.js';
import { aProblem } from '../engine/a-skeleton.js';
import { fc } from '../support/fixed-seed.js';

const KIND_NAMES = Object.keys(KINDS) as KindName[];
const STATES = ['waiting', 'running', 'held', 'done', 'cached', 'failed', 'skipped', 'dropped'] as const;
const step = (over: Partial<StepStatus>): StepStatus => ({
  id: 'steps/a',
  kind: 'runCommand',
  stage: 'steps',
  state: 'done',
  attempt: 1,
  ...over,
});
const status = (steps: readonly StepStatus[]): RunStatus => ({
  workflowId: 'release/thing/1.0',
  run: 'r',
  plan: `sha256:${'a'.repeat(64)}`,
  name: 'thing',
  version: '1.0',
  rehearsal: false,
  state: 'running',
  startedAt: 0,
  steps,
  problems: [],
});
const evidence = Array.from({ length: 40 }, (_, line) => `line ${line}`);
const FAILED = step({ id: 'tests/a', stage: 'tests', state: 'failed', problems: [aProblem({ evidence })] });

const HELD = step({ id: 'tests/a', stage: 'tests', state: 'held', problems: [aProblem({ evidence })] });
const GATE: GateStatus = {
  ...{
    name: 'ship',
    manifest: `sha256:${'f'.repeat(64)}`,
    quorum: 1,
    signed: 'optional',
    expiresMs: 1,
    openedAt: 0,
    nonce: 'n',
    targets: [],
  },
  ...{ approvers: ['core: keys/a.pub'], keys: [], approvals: [], next: 'slipway approve ship' },
};
const AT_GATE = step({ id: 'gates/ship', stage: 'gates', state: 'at gate', because: '0 of 1 approvals', gate: GATE });
const WAITING: WaitingQueue = { queue: 'linux-aarch64', since: 0, steps: 4, could: 'the command' };

test('given a held run, then the details say in order what is held and why, gates, queues, progress, and what to type', () => {
  const steps = [step({}), step({ id: 'steps/b', state: 'running' }), HELD, AT_GATE];
  const text = details({ ...status(steps), state: 'held', waiting: [WAITING] });
  expect(text).toBe(
    [
      '**held**: `thing 1.0`, plan `aaaaaaaaaaaa`',
      '\n**Held: 1 step**\n```',
      'tests/a  COMMAND_FAILED make exited with 2',
      ...evidence.slice(-15).map((line) => `  | ${line}`),
      '  Read the log.',
      '  slipway retry tests/a --run release/thing/1.0',
      '```\n\n**Gates**\n```',
      'gates/ship  0 of 1 approvals',
      `  manifest ${GATE.manifest}`,
      '  slipway approve ship --run release/thing/1.0',
      '  may approve: core: keys/a.pub',
      '```\n\n**Waits**\n```',
      'waits for a worker of the queue linux-aarch64 since 1970-01-01T00:00:00Z: 4 steps',
      '  type the command',
      '```\n\n**Progress**\n```',
      'tests    1 held',
      'steps    1 done, 1 running',
      'gates    1 at gate',
      'now:',
      '  steps/b  running command',
      '```\n\n**Next**\n```',
      'slipway retry tests/a --run release/thing/1.0',
      "slipway skip tests/a --reason '…' --run release/thing/1.0",
      'slipway approve ship --show --run release/thing/1.0   # what it would publish',
      'slipway approve ship --run release/thing/1.0',
      "slipway reject ship --reason '…' --run release/thing/1.0",
      'slipway cancel --run release/thing/1.0',
      '```\n\n**Signals**\n```',
      'signal retry {"step": "tests/a"}',
      `signal approve {"gate": "ship", "manifest": "${GATE.manifest}", "by": "…"}`,
      '```',
    ].join('\n'),
  );
});

test('given a first error above the last lines, then it is shown before them', () => {
  const firstError = ['a.c:1:1: error: no hull', '    1 | x'];
  const text = details(status([{ ...FAILED, problems: [aProblem({ evidence, firstError })] }]));
  const lines = [...firstError, '…', ...evidence.slice(-15)].map((line) => `  | ${line}`);
  expect(text).toContain([...lines, '  Read the log.'].join('\n'));
});

test.each([
  ['planning', {}, 'nothing: the run goes on by itself\nslipway watch release/thing/1.0'],
  ['paused', { paused: 'lunch (kim)' }, 'slipway resume --run release/thing/1.0\nslipway watch release/thing/1.0'],
  ['ended', { verdict: { verdict: 'released', reasons: [] } }, 'nothing: the run has ended'],
  [
    'ended',
    { verdict: { verdict: 'failed', reasons: [] } },
    'fix the cause, then slipway run FILE: finished steps are reused',
  ],
] as const)('given a run that is %s, then the details end with what to do', (state, more, next) => {
  expect(details({ ...status([]), state, ...more })).toMatch(`\n**Next**\n\`\`\`\n${next}\n\`\`\``);
});

test('given reasons of a verdict, then those that repeat a problem are left out', () => {
  const reasons = ['tests/a failed: make exited with 2', 'steps/b was left out'];
  const text = details({ ...status([FAILED]), state: 'ended', verdict: { verdict: 'failed', reasons } });
  expect(text).toContain('**failed**: `thing 1.0`');
  expect(text).toContain('**Reasons**\n```\nsteps/b was left out\n```');
});

test('given 20,000 failed steps and as many reasons, then the details leave out reasons that repeat a problem, and count the rest', () => {
  const many = <T>(make: (at: number) => T): T[] => Array.from({ length: 20_000 }, (_, at) => make(at));
  const steps = many((at) =>
    step({ ...FAILED, id: `tests/${at}`, problems: [aProblem({ message: `number ${at} broke` })] }),
  );
  const reasons = many((at) => (at % 2 === 0 ? `tests/${at} failed: number ${at} broke` : `tests/${at} was left out`));
  const text = details({ ...status(steps), state: 'ended', verdict: { verdict: 'failed', reasons } });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000);
  expect(text).toMatch(/\*\*Reasons\*\*\n```\ntests\/1 was left out\n(.*\n)*… and 9,?99\d more: slipway status/);
});

test('given 5,000 held steps with long texts and everything else, then 4,000 bytes name the first ones, count the rest and lack no section', () => {
  const problem = aProblem({
    message: 'é'.repeat(500),
    next: '船'.repeat(500),
    evidence,
    firstError: ['`'.repeat(300)],
  });
  const held = Array.from({ length: 5000 }, (_, at) =>
    step({ ...HELD, id: `tests/unit-${at}/linux-x86_64/py311`, problems: [problem] }),
  );
  const failed = Array.from({ length: 50 }, () => step({ ...FAILED, problems: [problem] }));
  const gates = Array.from({ length: 9 }, () => ({ ...AT_GATE, because: 'b'.repeat(900) }));
  const text = details({
    ...{ ...status([...held, ...failed, ...gates]), name: 'n'.repeat(5000), state: 'held', paused: 'p'.repeat(9000) },
    ...{
      waiting: Array.from({ length: 40 }, () => WAITING),
      refused: [problem, problem],
      problems: [problem, problem],
    },
    failedNotifications: [problem],
  });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000);
  expect(text.match(/^\*\*[A-Z].*\*\*$/gm)!.map((title) => title.replaceAll('*', ''))).toEqual(['Reasons', 'Held: 5000 steps', 'Failed: 50 steps', 'Gates', 'Waits', 'Not taken', 'Progress', 'Next', 'Signals']); // prettier-ignore
  expect(text).toMatch(/tests\/unit-0\/linux-x86_64\/py311 {2}COMMAND_FAILED[^]*… and 4\d{3} more: slipway status/);
  expect(text).toContain(`  manifest ${GATE.manifest}`);
  expect(text).toContain('slipway retry tests/unit-0/linux-x86_64/py311');
});

test('given less and less room, then a status drops output, notes, times, problems, successful steps and all steps, in order', () => {
  const done = Array.from({ length: 50 }, () => step({ note: 'n'.repeat(40), ms: 5 }));
  const lost = new Set<string>();
  for (let most = 10_000; most > 0; most -= 10) {
    const { steps } = fitting(status([...done, FAILED]), most);
    const [first, last] = [steps[0], steps.at(-1)];
    const keeps = {
      output: last?.problems?.[0]?.evidence,
      notes: first?.note,
      times: first?.ms,
      problems: last?.problems,
    };
    const kept = { ...keeps, good: first?.id === 'steps/a', steps: last };
    for (const [name, value] of Object.entries(kept)) if (!value) lost.add(name);
  }
  expect([...lost]).toEqual(['output', 'notes', 'times', 'problems', 'good', 'steps']);
});

const LARGE: readonly (readonly [string, number, (at: number) => Partial<StepStatus>])[] = [
  ['wait', 20_000, () => ({ state: 'waiting', attempt: 0 })],
  [
    'are done, with notes',
    10_000,
    () => ({ startedAt: 1e6, ms: 12_345, note: '41 tests passed, 3 skipped, one file of 1.2 MB' }),
  ],
  ['are done, with notes outside ASCII', 20_000, () => ({ startedAt: 1e6, ms: 12_345, note: 'é'.repeat(60) })],
  [
    'are held, with much to say',
    5000,
    () => ({ state: 'held', heldAt: 1e6, problems: [aProblem({ message: 'm'.repeat(400), evidence })] }),
  ],
];

test.each(LARGE)('given a large plan whose steps all %s, then the status has every step', (_, count, over) => {
  const steps = Array.from({ length: count }, (__, at) =>
    step({ id: `tests/unit-${at}/linux-x86_64/py311`, ...over(at) }),
  );
  const told = fitting(status(steps));
  expect(gzipSync(JSON.stringify(told)).length).toBeLessThan(1_400_000);
  const named = (all: readonly StepStatus[]) => all.map(({ id, state }) => `${id} ${state}`);
  expect(named(told.steps)).toEqual(named(steps));
});

const anyText = fc.string({ unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })), maxLength: 60 }); // prettier-ignore
const anyStep = fc.record(
  {
    ...{ id: fc.string({ minLength: 1, maxLength: 30 }), kind: fc.constantFrom(...KIND_NAMES) },
    ...{ stage: fc.constantFrom(...STAGE_IDS), state: fc.constantFrom(...STATES), attempt: fc.nat(100) },
    ...{ startedAt: fc.nat(1e9), ms: fc.nat(1e6), note: anyText, because: anyText },
  },
  { requiredKeys: ['id', 'kind', 'stage', 'state', 'attempt'] },
);

test('given a status that does not compress, then it stays within its bound', () => {
  const many = fc.array(anyStep, { minLength: 200, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(many, fc.integer({ min: 2000, max: 40_000 }), (steps, most) => {
      const told = fitting(status(steps), most);
      expect(gzipSync(JSON.stringify(told)).length).toBeLessThanOrEqual(most);
    }),
    { numRuns: 30 },
  );
});
