import type { RunStatus } from '../../src/model/messages.js';
import { nextCommands, nextOfFailed, withRun } from '../../src/model/run-next.js';
import { aRun, aStep, compileError } from '../cli/a-run.js';

const FACTS = { again: 'slipway run a.yaml --profile live', moved: false };
const MOVED = { ...FACTS, moved: true };
const ID = 'rehearsal/skiff/1.2.0';
const RUN = aRun().run;
const steps = (count: number, state: 'held' | 'failed') =>
  Array.from({ length: count }, (_, at) => aStep(`steps/s${at}`, 'runCommand', state, { problems: [compileError] }));
const held = (count: number, more: Partial<RunStatus> = {}): RunStatus =>
  aRun({ state: 'held', steps: steps(count, 'held'), ...more });

const ANEW =
  'slipway run a.yaml --profile live --supersede   # with a changed file or commit; finished steps are reused';
const SKIP = `slipway skip steps/s0 --reason '…' --run ${ID}`;
const CANCEL = `slipway cancel --run ${ID}`;

test.each([
  ['one step', held(1), FACTS, [`slipway retry steps/s0 --run ${ID}`, ANEW, SKIP, CANCEL]],
  ['one step, and another commit since', held(1), MOVED, [ANEW, `slipway retry steps/s0 --run ${ID}`, SKIP, CANCEL]],
  [
    'two steps',
    held(2),
    FACTS,
    [
      `slipway retry --all-failed --run ${ID}   # all 2 held steps`,
      ...['s0', 's1'].map((step) => `slipway retry steps/${step} --run ${ID}`),
      ...[ANEW, SKIP, CANCEL],
    ],
  ],
])('given a run that is held by %s, then its commands are complete and in order', (_, status, facts, lines) => {
  expect(nextCommands(status, facts)).toEqual(lines);
});

test('given a scheduled run that is held, then another run is no replacement of it', () => {
  const scheduled = held(1, { workflowId: 'pipeline/night-2026-11-29T02:00:00Z' });
  expect(nextCommands(scheduled, FACTS)[1]).toMatch(/^slipway run a\.yaml --profile live {3}#/);
});

const ended = (verdict: 'failed' | 'cancelled', count: number): RunStatus =>
  aRun({ state: 'ended', verdict: { verdict, reasons: [] }, steps: steps(count, 'failed') });
const gate = { name: 'go', quorum: 1, approvals: [], approvers: [], manifest: 'm', next: '', nonce: 'n' } as never;

test.each<[string, RunStatus, readonly string[]]>([
  [
    'failed',
    ended('failed', 1),
    [
      `slipway logs steps/s0 --run ${RUN}`,
      `slipway why steps/s0 --run ${RUN}`,
      `${FACTS.again}   # finished steps are reused`,
    ],
  ],
  [
    'was cancelled',
    ended('cancelled', 0),
    [`slipway audit ${RUN}   # who stopped it`, `${FACTS.again}   # finished steps are reused`],
  ],
  ['runs', aRun(), [`slipway watch ${ID}`]],
  ['is paused', aRun({ paused: 'kim' }), [`slipway resume --run ${ID}`, `slipway watch ${ID}`]],
  [
    'waits at a gate',
    aRun({ state: 'at gate', steps: [aStep('gate/go', 'passGate', 'at gate', { gate })] }),
    [
      `slipway approve go --show --run ${ID}   # what it would publish`,
      `slipway approve go --run ${ID}`,
      `slipway reject go --reason '…' --run ${ID}`,
      `slipway watch ${ID}`,
    ],
  ],
])('given a run that %s, then the next commands are those that it takes', (_, status, lines) => {
  expect(nextCommands(status, FACTS)).toEqual(lines);
});

const RETRY = `\`slipway retry steps/s0 --run ${ID}\``;
const REPLACE = '`slipway run a.yaml --profile live --supersede`';

test.each([
  [
    'product',
    '`slipway logs steps/s0` shows it; fix the command, then run the release again.',
    `\`slipway logs steps/s0 --run ${ID}\` shows it; fix the command, then type ${REPLACE}, or type ${RETRY} where the cause was outside.`,
  ],
  [
    'product',
    'Correct `prepare.run`, then start the run again.',
    `Correct \`prepare.run\`, then type ${REPLACE}, or type ${RETRY} where the cause was outside.`,
  ],
  [
    'infra',
    'See `slipway logs STEP`, then run the release again.',
    `See \`slipway logs steps/s0 --run ${ID}\`, then type ${RETRY}.`,
  ],
  ['infra', 'Type `slipway retry`, or start the release again.', `Type ${RETRY}, or type ${REPLACE}.`],
  [
    'conflict',
    'Raise `release.version`, then start the release again.',
    `Raise \`release.version\`, then type ${REPLACE}, or type ${RETRY} where the cause was outside.`,
  ],
  [
    'infra',
    'Wait, or skip the step: `slipway skip`.',
    `Wait, or skip the step: \`slipway skip steps/s0 --reason '…' --run ${ID}\`.`,
  ],
  ['denied', 'Then type `slipway retry --from STEP`.', `Then type \`slipway retry --from steps/s0 --run ${ID}\`.`],
  ['infra', 'If the run has ended, start the release again.', 'If the run has ended, start the release again.'],
  ['denied', 'Start that worker again: `slipway workers`.', 'Start that worker again: `slipway workers`.'],
] as const)(
  'given a held step of class %s with the advice "%s", then its run takes what is told',
  (kind, next, told) => {
    const status = held(1);
    expect(nextOfFailed({ ...compileError, class: kind, next }, status.steps, status, FACTS).next).toBe(told);
  },
);

test('given a step that no action reaches, then its advice starts the release again', () => {
  const next = 'Correct the credential; then `slipway retry STEP`.';
  const told = (status: RunStatus) => nextOfFailed({ ...compileError, next }, status.steps, status, FACTS).next;
  expect(told(ended('failed', 1))).toBe('Correct the credential; then `slipway run a.yaml --profile live`.');
  expect(told(aRun({ steps: steps(1, 'failed') }))).toBe(`Correct the credential; then ${REPLACE}.`);
});

test('given a run that no command line starts, then none is told', () => {
  const none = { ...FACTS, again: null };
  expect(nextCommands(held(1), none)).toEqual([`slipway retry steps/s0 --run ${ID}`, SKIP, CANCEL]);
  const next = 'Correct it, then start the release again.';
  expect(nextOfFailed({ ...compileError, next }, held(1).steps, held(1), none).next).toBe(
    `Correct it, then type ${RETRY}.`,
  );
});

test('given held steps beside a gate that lacks approvals, and one that waits for its time, then both are told', () => {
  const open = aStep('gate/go', 'passGate', 'at gate', { gate });
  const passed = aStep('gate/soak', 'passGate', 'at gate', {
    gate: { ...(gate as object), name: 'soak', quorum: 0 } as never,
  });
  const lines = nextCommands(held(1, { steps: [...steps(1, 'held'), open, passed], paused: 'kim' }), FACTS);
  expect(lines).toEqual([
    `slipway resume --run ${ID}`,
    ...[`slipway retry steps/s0 --run ${ID}`, ANEW, SKIP],
    ...[`slipway approve go --show --run ${ID}   # what it would publish`, `slipway approve go --run ${ID}`],
    ...[`slipway reject go --reason '…' --run ${ID}`, CANCEL],
  ]);
});

test('given a failed step of an ended run, then its log is asked of that run, and the release is run again', () => {
  const status = ended('failed', 1);
  const next = '`slipway logs STEP` shows it; then run the release again.';
  expect(nextOfFailed({ ...compileError, next }, status.steps, status, FACTS).next).toBe(
    `\`slipway logs steps/s0 --run ${RUN}\` shows it; then run the release again.`,
  );
});

test.each([
  [
    'See `slipway logs STEP`, then type `slipway retry a`.',
    'See `slipway logs wheels/b --run R`, then type `slipway retry a --run R`.',
  ],
  ['`slipway logs a --run other` has it', '`slipway logs a --run other` has it'],
])('given the text %j, then its commands mean the run and the step', (text, expected) => {
  expect(withRun(text, '--run R', 'wheels/b')).toBe(expected);
});
