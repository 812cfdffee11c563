import { Readable } from 'node:stream';
import type { ReleaseClient } from '../../src/client/index.js';
import { audit } from '../../src/cli/commands/audit.js';
import { colours } from '../../src/cli/render/paint.js';
import { lostLines } from '../../src/cli/screens/failures.js';
import { cancel } from '../../src/cli/commands/cancel.js';
import { note } from '../../src/cli/commands/note.js';
import { pause, resume } from '../../src/cli/commands/pause.js';
import { retry } from '../../src/cli/commands/retry.js';
import { run } from '../../src/cli/commands/run.js';
import { skip } from '../../src/cli/commands/skip.js';
import { status } from '../../src/cli/commands/status.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import type { Audited } from '../../src/model/actions.js';
import { aProblem } from '../engine/a-skeleton.js';
import { aPlan, aStep } from '../support/run-body.js';
import { inTheMiddle, rehearsed } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore, recentOf } from './fake-ports.js';

const input = (args: Record<string, string> = {}, options: Record<string, string | boolean> = {}) => ({
  args,
  options,
});
const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: SlipwayFailure) => error.first.code,
  );
const held = (): RunStatus => {
  const [first, ...rest] = inTheMiddle().steps;
  return { ...inTheMiddle(), state: 'held', steps: [{ ...first!, state: 'held', problems: [aProblem()] }, ...rest] };
};
const plan = {
  digest: `sha256:${'ab'.repeat(32)}`,
  plan: { release: { name: 'skiff', version: '1.2.0' }, profile: { name: 'local', rehearsal: true } } as Plan,
} as const;

test.each([
  [
    'retry of a step',
    retry,
    input({ step: 'a' }, { reason: 'again' }),
    { action: 'retry', step: 'a', reason: 'again' },
  ],
  ['retry of all', retry, input({}, { allFailed: true }), { action: 'retry' }],
  ['retry from a step', retry, input({}, { from: 'a', yes: true }), { action: 'retry', from: 'a' }],
  ['skip', skip, input({ step: 'a' }, { reason: 'no' }), { action: 'skip', step: 'a', reason: 'no' }],
  ['pause', pause, input(), { action: 'pause' }],
  ['resume', resume, input(), { action: 'resume' }],
  ['a note', note, input({ text: 'seen' }), { action: 'note', reason: 'seen' }],
  ['cancel of a step', cancel, input({ step: 'a' }), { action: 'cancel', step: 'a' }],
])('given %s, then it is sent to the newest run with its sender', async (_, command, given, action) => {
  const client = fakeClient([[inTheMiddle()]]);
  const ports = { ...fakePorts({ client }), env: { USER: 'kim' } };
  const io = fakeIo();
  expect(await command.run(given, io, ports)).toBe(0);
  const { workflowId, run: newest } = inTheMiddle();
  expect(client.sent).toEqual([{ workflowId, run: newest, action: { ...action, by: 'kim' } }]);
  expect(io.printed).toEqual(['rehearsal/skiff/1.2.0: done as told']);
});

test.each([
  ['a user who confirms', true, 1],
  ['a user who declines', false, 0],
  ['no terminal', undefined, 1],
])(
  'given retry --from and %s, then it previews and asks, and sends an action only when confirmed: %s %s',
  async (_, confirms, times) => {
    const client = fakeClient([[inTheMiddle()]]);
    const ports = fakePorts({ client, ...(confirms !== undefined && { confirms }) });
    const io = fakeIo();
    expect(await retry.run(input({}, { from: 'wheels/skiff' }), io, ports)).toBe(0);
    expect(client.sent).toHaveLength(times);
    expect(io.printed[0]).toBe(
      [
        'run again:',
        '  wheels/skiff  whatever is known of it',
        '  seal/manifest  unless what it uses comes out the same',
        'stopped first:',
        '  seal/manifest',
        'invalidated:',
        '  wheels/skiff  its result',
        'reused:',
        '  source/skiff',
      ].join('\n'),
    );
  },
);

test('given retry --from --preview, then it prints the preview and sends no action', async () => {
  const client = fakeClient([[inTheMiddle()]]);
  const io = fakeIo();
  expect(await retry.run(input({}, { from: 'a', preview: true, json: true }), io, fakePorts({ client }))).toBe(0);
  expect(client.sent).toEqual([]);
  expect(JSON.parse(io.printed[0]!)).toMatchObject({ ok: true, from: 'a', again: ['a', 'seal/manifest'] });
});

test("given an action that the run refuses, then the command fails with the run's problem", async () => {
  const ports = fakePorts({ client: fakeClient([[inTheMiddle()]]) });
  expect(await codeOf(retry.run(input({ step: 'done' }), fakeIo(), ports))).toBe('STEP_NOT_HELD');
});

test.each([
  ['retry of nothing', retry, input(), 'STEP_OR_ALL'],
  ['retry of one, and from one', retry, input({ step: 'a' }, { from: 'a' }), 'STEP_OR_ALL'],
  ['retry of one and all', retry, input({ step: 'a' }, { allFailed: true }), 'STEP_OR_ALL'],
  ['skip without a reason', skip, input({ step: 'a' }), 'REASON_MISSING'],
  ['an unknown answer to a hold', run, input({}, { onHold: 'explode' }), 'NOT_AN_ANSWER'],
  ['a priority beyond the last', run, input({}, { priority: '6' }), 'NOT_A_PRIORITY'],
  ['a priority that is no number', run, input({}, { priority: 'high' }), 'NOT_A_PRIORITY'],
])('given %s, then it is refused before a prompt', async (_, command, given, code) => {
  expect(await codeOf(command.run(given, fakeIo(), fakePorts({ client: fakeClient([[held()]]), plan })))).toBe(code);
});

const storeWith = (stored: unknown) => ({
  ...fakeStore(),
  has: async () => true,
  get: async () => Readable.from([Buffer.from(JSON.stringify(stored))]),
});

test('given run --wait without a terminal, when the run is held, then it prints what to type and exits with 4', async () => {
  const io = fakeIo();
  const client = fakeClient([[inTheMiddle(), { ...held(), plan: plan.digest }]]);
  const ports = fakePorts({ client, plan, store: storeWith(aPlan()) });
  expect(await run.run(input({}, { wait: true }), io, ports)).toBe(4);
  const told = io.printed.join('\n');
  expect(told).toContain('COMMAND_FAILED');
  expect(told).toContain(`slipway retry ${held().steps[0]!.id} --run rehearsal/skiff/1.2.0`);
  expect(told).toMatch(/^ {2}slipway run --supersede /m);
  expect(io.chatter.at(-1)).toMatch(/^Detached: rehearsal\/skiff\/1.2.0 waits for an action\.$/m);
});

test('given seven held steps, then the last lines name five, count the rest and retry all', async () => {
  const steps = Array.from({ length: 7 }, (_, at) => ({
    ...held().steps[0]!,
    ...{ id: `steps/s${at}`, problems: [aProblem({ message: `cause ${at}` })] },
  }));
  const io = fakeIo();
  const client = fakeClient([[inTheMiddle(), { ...held(), steps, plan: plan.digest }]]);
  const ports = fakePorts({ client, plan, store: storeWith(aPlan()) });
  expect(await run.run(input({}, { wait: true }), io, ports)).toBe(4);
  const on = '--run rehearsal/skiff/1.2.0';
  const lines = io.printed.at(-1)!.split('\n');
  expect(lines.slice(lines.indexOf('held  rehearsal/skiff/1.2.0 waits for an action:') + 1)).toEqual([
    `  slipway retry --all-failed ${on}   # all 7 held steps`,
    ...['s0', 's1', 's2', 's3', 's4'].map((id) => `  slipway retry steps/${id} ${on}`),
    '  … and 2 more: slipway status rehearsal/skiff/1.2.0',
    '  slipway run --supersede   # with a changed file or commit; finished steps are reused',
    `  slipway skip steps/s0 --reason '…' ${on}`,
    `  slipway cancel ${on}`,
  ]);
});

test('given a run that somebody paused, then status says who and why, and how it goes on', async () => {
  const io = fakeIo();
  const paused: RunStatus = { ...inTheMiddle(), paused: 'kim paused it: freeze until Monday' };
  expect(await status.run(input(), io, fakePorts({ client: fakeClient([[paused]]) }))).toBe(0);
  expect(io.printed.join('\n')).toMatch(/^! paused: kim paused it: freeze until Monday\n.*slipway resume$/m);
});

test('given a held release, then the printed `slipway run` line names its profile', async () => {
  const io = fakeIo();
  const signed = {
    ...plan,
    plan: { ...aPlan({ profile: { name: 'signed', rehearsal: true } }), release: plan.plan.release } as Plan,
  };
  const client = fakeClient([[inTheMiddle(), { ...held(), plan: plan.digest }]]);
  await run.run(input({}, { wait: true }), io, fakePorts({ client, plan: signed, store: storeWith(signed.plan) }));
  expect(io.printed.join('\n')).toMatch(/^ {2}slipway run --profile signed --supersede /m);
});

test('given --on-hold without a terminal, then the command waits, unless --no-wait is said', async () => {
  const failed: RunStatus = { ...rehearsed(), verdict: { verdict: 'failed', reasons: ['steps/fragile failed'] } };
  const typed = (options: Record<string, string | boolean>) =>
    run.run(input({}, options), fakeIo(), fakePorts({ client: fakeClient([[inTheMiddle(), failed]]), plan }));
  expect(await typed({ onHold: 'fail' })).toBe(1);
  expect(await typed({ onHold: 'fail', wait: false })).toBe(0);
  expect(await typed({})).toBe(0);
});

test('given --on-hold wait, when the run is held, then it keeps watching until the end', async () => {
  const ports = fakePorts({ client: fakeClient([[held(), rehearsed()]]), plan });
  expect(await run.run(input({}, { wait: true, onHold: 'wait' }), fakeIo(), ports)).toBe(0);
});

test('given --supersede, then the open run is cancelled and closed before the new one starts', async () => {
  const ended: RunStatus = { ...rehearsed(), verdict: { verdict: 'cancelled', reasons: [] } };
  const client = fakeClient([[inTheMiddle(), ended]]);
  const order: string[] = [];
  const open: ReleaseClient = {
    ...client,
    runs: async () => [recentOf(inTheMiddle())],
    async *follow() {
      yield ended; // it says so, and is open until its status is kept
      order.push('closed');
    },
    start: (started) => (order.push('started'), client.start(started)),
  };
  await run.run(input({}, { supersede: true }), fakeIo(), fakePorts({ client: open, plan }));
  expect(client.cancelled).toEqual(['rehearsal/skiff/1.2.0']);
  expect(order).toEqual(['closed', 'started']);
});

test('given actions, when the audit is printed, then it shows sender, action, time, reason and answer', async () => {
  const actions: Audited[] = [
    {
      no: 1,
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      sent: { action: 'retry', step: 'a', by: 'kim', reason: 'mended' },
      answer: { ok: true, did: 'a is tried again', steps: ['a'] },
    },
    {
      no: 2,
      at: Date.UTC(2026, 0, 2, 3, 4, 6),
      sent: { action: 'send', payload: '{"action":"explode"}' },
      answer: { ok: false, problem: aProblem({ code: 'UNKNOWN_ACTION', message: '"explode" is no action' }) },
    },
  ];
  const { run: id } = inTheMiddle();
  const store = fakeStore(Object.fromEntries(actions.map((action) => [records.audit(id, action.no), action])));
  const io = fakeIo();
  await audit.run(input(), io, fakePorts({ client: fakeClient([[inTheMiddle()]]), store }));
  expect(io.printed).toEqual([
    '2026-01-02T03:04:05Z  kim: retry a  "mended"  →  a is tried again',
    '2026-01-02T03:04:06Z  send {"action":"explode"}  →  refused, UNKNOWN_ACTION: "explode" is no action',
  ]);
});

test('given a step that lost a worker, then the audit and the last screen name the worker and the time', async () => {
  const atMs = Date.UTC(2026, 0, 2, 3, 4, 5);
  const lost = { attempt: 2, lost: [{ worker: 'one@here', atMs }] };
  const { steps, ...rest } = inTheMiddle();
  const status = { ...rest, steps: steps.map((step, at) => (at === 0 ? { ...step, ...lost } : step)) };
  const ports = fakePorts({ client: fakeClient([[status]]) });
  const said = fakeIo();
  await audit.run(input(), said, ports);
  expect(said.printed.at(-1)).toMatch(
    /^2026-01-02T03:04:05Z .*: one@here was gone at 2026-01-02T03:04:05Z; another worker/,
  );
  expect(lostLines(status, colours(false)).join('\n')).toMatch(/attempt 2: one@here was gone at .*--attempt 1/);
});

/** Its workers are gone: a query would wait for ever. */
const untold = () => ({
  ...fakeClient([[{ ...held(), run: 'r-2' }]]),
  status: () => Promise.reject(fail(aProblem({ code: 'NO_WORKER_ANSWERS' }))),
});

test('given an open run without workers, then its status comes from the store, and not from an older run', async () => {
  const plan = aPlan({ steps: ['a', 'b', 'c'].map((id) => aStep('takeSdist', { project: id }, { id }) as Step) });
  const { workflowId, run: old } = inTheMiddle();
  const store = {
    ...fakeStore({
      [records.status(old)]: { ...inTheMiddle(), state: 'ended' },
      [records.started('r-2')]: {
        run: 'r-2',
        workflowId,
        plan: `sha256:${'ab'.repeat(32)}`,
        at: '2026-01-01T00:00:00Z',
      },
      [records.result('r-2', 'a')]: { step: 'a', note: 'made', made: { run: 'r-2', ms: 5 } },
      [`${records.log('r-2', 'b', 1)}/000001`]: { text: '' },
      [records.audit('r-2', 1)]: {
        no: 1,
        at: 0,
        sent: { action: 'note', reason: 'hm' },
        answer: { ok: true, did: 'noted', steps: [] },
      },
    }),
    has: () => Promise.resolve(true),
    get: async () => Readable.from([Buffer.from(JSON.stringify(plan))]),
  };
  const ports = fakePorts({ client: untold(), store });
  const io = fakeIo();
  await status.run(input({}, { json: true }), io, ports);
  const told = (JSON.parse(io.printed[0]!) as { status: RunStatus }).status;
  expect(told).toMatchObject({ run: 'r-2', state: 'held', waits: expect.stringContaining('no workflow worker') });
  expect(told.steps.map(({ id, state }) => [id, state])).toEqual([
    ['a', 'done'],
    ['b', 'held'],
    ['c', 'waiting'],
  ]);
  const said = fakeIo();
  await audit.run(input(), said, ports);
  expect(said.printed[0]).toContain('note  "hm"');
});

test("given an open run without workers, when a step is held, then its problems come from Temporal's history", async () => {
  const plan = aPlan({ steps: ['a', 'b'].map((id) => aStep('takeSdist', { project: id }, { id }) as Step) });
  const store = {
    ...fakeStore({ [records.started('r-2')]: { run: 'r-2', plan: `sha256:${'ab'.repeat(32)}` } }),
    has: () => Promise.resolve(true),
    get: async () => Readable.from([Buffer.from(JSON.stringify(plan))]),
  };
  const client = { ...untold(), failures: () => Promise.resolve(new Map([['a', [aProblem({ code: 'BROKEN' })]]])) };
  const io = fakeIo();
  await status.run(input({}, { json: true }), io, fakePorts({ client, store }));
  const { steps } = (JSON.parse(io.printed[0]!) as { status: RunStatus }).status;
  expect(steps.map(({ id, state, problems }) => [id, state, problems?.[0]?.code])).toEqual([
    ['a', 'held', 'BROKEN'],
    ['b', 'waiting', undefined],
  ]);
});

test("given a run without any stored status, then another run's status is not shown in its place", async () => {
  const store = fakeStore({ [records.status('old')]: { ...inTheMiddle(), run: 'old', state: 'ended' } });
  const told = status.run(input(), fakeIo(), fakePorts({ client: untold(), store }));
  expect(await codeOf(told)).toBe('NO_WORKER_ANSWERS');
});
