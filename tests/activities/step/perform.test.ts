/** @slow */
import { MockActivityEnvironment } from '@temporalio/testing';
import { CancelledFailure, CompleteAsyncError } from '@temporalio/activity';
import { attemptStep } from '../../../src/activities/step/attempt.js';
import { createPerform } from '../../../src/activities/step/perform.js';
import type { Body, Work } from '../../../src/activities/work.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { StepEnding } from '../../../src/model/messages.js';
import type { Step } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { records, type Started } from '../../../src/model/run-folder.js';
import { aPlan, aResult, aStep, newHome, readLog, realSurroundings } from '../../support/run-body.js';
import { asBytes, done, failureOf, neverRuns, pure, world } from './a-world.js';

test('given a step, then it runs once, its result is recorded, and the run is listed by its start', async () => {
  const { around, perform, digest } = await world();
  expect(await perform(done)).toMatchObject({ outcome: 'done', note: 'one file', worker: 'test@here' });
  const result = await around.store.read<Result>(records.result('run-0001', pure.id));
  expect(result).toMatchObject({
    step: pure.id,
    kind: 'takeSdist',
    facts: { a: 1 },
    made: { run: 'run-0001', attempt: 1 },
  });
  expect(await around.store.read<Started>(records.started('run-0001'))).toMatchObject({
    workflowId: 'release/skiff/1.2.3',
    plan: digest,
  });
  expect(await readLog(around, records.log('run-0001', pure.id, 1))).toMatch(/^slipway: .*\nmade\n$/);
});

test('given an attempt whose answer was lost, then the retry returns the recorded result and runs nothing', async () => {
  const { perform } = await world();
  await perform(done);
  expect(await perform(neverRuns, 'run-0001', 2)).toMatchObject({ outcome: 'done', note: 'one file' });
});

describe('an attempt that an earlier worker began', () => {
  const info = { attempt: 3, currentAttemptScheduledTimestampMs: Date.UTC(2026, 0, 2) };
  const lost = [
    { worker: 'zero@here', atMs: 1 },
    { worker: 'one@here', atMs: info.currentAttemptScheduledTimestampMs },
  ];
  const told = { ...info, heartbeatDetails: { worker: 'one@here', line: 'x', lost: lost.slice(0, 1) } };

  test('tells which workers are gone: its ending and its own log', async () => {
    const { around, perform } = await world();
    expect(await perform(done, 'run-0001', 1, told)).toMatchObject({ outcome: 'done', lost });
    expect(await readLog(around, records.log('run-0001', pure.id, 1, 3))).toMatch(
      /^slipway: .*, attempt 3 on .*\nslipway: .*zero@here was gone at .*\nslipway: .*one@here was gone at 2026-01-02T00:00:00Z\nmade\n$/,
    );
  });

  test('tells them with its failure', async () => {
    const { perform } = await world();
    const { details } = await failureOf(perform(neverRuns, 'run-0001', 1, told));
    expect(details.problems[0]!.details).toMatchObject({ lost });
  });

  test.each<[what: string, heartbeatDetails: unknown]>([
    ['no heartbeat', undefined],
    ['a line of an older version', 'a last line'],
    ['other things', { worker: 5, lost: [{ worker: {} }] }],
  ])('given that it sent %s, then only the time is known', async (_, heartbeatDetails) => {
    const { perform } = await world();
    const ending = await perform(done, 'run-0001', 1, { ...info, heartbeatDetails });
    expect(ending.lost).toEqual([{ worker: null, atMs: info.currentAttemptScheduledTimestampMs }]);
  });
});

test('when the body is done, then the slot is free; the ending follows when the result is recorded', async () => {
  const taken: Promise<StepEnding>[] = [];
  const take = (_: Uint8Array, ending: Promise<StepEnding>) => taken.push(ending) > 0;
  const { around, perform } = await world(pure, { around: { afterwards: { take } } });
  await expect(perform(done)).rejects.toThrow(CompleteAsyncError);
  expect(taken).toHaveLength(1);
  expect(await taken[0]).toMatchObject({ outcome: 'done', note: 'one file' });
  expect(await around.store.read(records.result('run-0001', pure.id))).toMatchObject({ step: pure.id });
});

test('given too many pending results or a failing body, then the slot is held to the end', async () => {
  let asked = 0;
  const take = () => ++asked < 0;
  const { perform } = await world(pure, { around: { afterwards: { take } } });
  await failureOf(perform(() => Promise.reject(new Error('no body'))));
  expect(asked).toBe(0);
  expect(await perform(done, 'run-0001', 2)).toMatchObject({ outcome: 'done' });
  expect(asked).toBe(1);
});

test('given a pure step, then another run reuses its result by key', async () => {
  const { around, perform } = await world();
  await perform(done);
  expect(await perform(neverRuns, 'run-0002')).toMatchObject({ outcome: 'cached', note: 'one file' });
  const [first, second] = await Promise.all(
    ['run-0001', 'run-0002'].map((run) => around.store.read<Result>(records.result(run, pure.id))),
  );
  expect(second).toEqual(first);
});

test('given two runs at once, then both use the first recorded result', async () => {
  const { around, perform } = await world();
  const both = await Promise.all(
    ['run-0001', 'run-0002'].map((run) =>
      perform(async (work) => ({ artifacts: [], facts: { by: work.run }, note: work.run }), run),
    ),
  );
  const results = await Promise.all(
    ['run-0001', 'run-0002'].map((run) => around.store.read<Result>(records.result(run, pure.id))),
  );
  expect(new Set(results.map((result) => result!.note)).size).toBe(1);
  expect(new Set(both.map((ending) => ending.note)).size).toBe(1);
});

test('given a result whose bytes are lost, then the step runs again', async () => {
  const { around, perform } = await world();
  await perform(done);
  const forgetful = {
    ...around.store,
    sound: (digest: string) => around.store.sound(digest as never).then((sound) => sound && digest !== gone),
  };
  const gone = (await around.store.read<Result>(records.result('run-0001', pure.id)))!.artifacts[0]!.digest;
  const again = createPerform({ ...around, store: forgetful });
  const { digest } = await around.store.put(asBytes(canonical(aPlan({ steps: [pure as Step] }))));
  const input = { plan: digest, step: pure.id, run: 'run-0002', attempt: 1 };
  expect(await new MockActivityEnvironment().run(again(done), input)).toMatchObject({ outcome: 'done' });
});

test('given a probing step, then it runs each time and gets the known result', async () => {
  const probe = aStep('makeBase', { name: 'b', from: { image: 'x' }, oci: null });
  const { perform } = await world(probe);
  const seen: (string | null)[] = [];
  const look =
    (note: string): Body<KindName> =>
    async (work) => {
      seen.push(work.known?.note ?? null);
      return { artifacts: [], facts: { note }, note, reused: work.known?.note === note };
    };
  expect(await perform(look('one'), 'run-0001')).toMatchObject({ outcome: 'done' });
  expect(await perform(look('one'), 'run-0002')).toMatchObject({ outcome: 'cached' });
  expect(await perform(look('two'), 'run-0003')).toMatchObject({ outcome: 'done' });
  expect(await perform(look('two'), 'run-0004')).toMatchObject({ outcome: 'cached' });
  expect(seen).toEqual([null, 'one', 'one', 'two']);
});

test('given needs and wants, then their results are inputs; a missing need fails the step', async () => {
  const step = { ...pure, needs: ['source/skiff'], wants: ['a/there', 'a/skipped'], toolchain: 'prove/queues/control' };
  const source = aStep('fetchSource', { source: { kind: 'git', commit: 'c' } }, { id: 'source/skiff' });
  const { around, perform } = await world(step, { plan: { steps: [source as Step, step as Step] } });
  const put = (id: string, kind: KindName, facts: object) =>
    around.store.create(records.result('run-0001', id), aResult({ id, kind }, { facts: facts as never }));
  const { details } = await failureOf(perform(neverRuns));
  expect(details.problems[0]).toMatchObject({
    code: 'INPUT_MISSING',
    message: expect.stringContaining('source/skiff'),
  });

  await put('source/skiff', 'fetchSource', { epoch: 1700000000 });
  await put('a/there', 'compileLock', {});
  await put('prove/queues/control', 'proveQueue', {
    toolchain: 'sha256:t',
    tools: { uv: '1' },
    pythons: { cp312: '/py' },
  });
  await perform(async (work: Work) => {
    expect(work.inputs.map((input) => input.step)).toEqual(['source/skiff', 'a/there']);
    expect(work.toolchain).toEqual({ pin: 'sha256:t', tools: { uv: '1' }, pythons: { cp312: '/py' } });
    expect(work.env()['SOURCE_DATE_EPOCH']).toBe('1700000000');
    return { artifacts: [], note: '' };
  });
});

test('given the time of the source, then only steps that depend on it see it', async () => {
  const source = aStep('fetchSource', { source: { kind: 'git', commit: 'c' } }, { id: 'source/skiff' });
  const lock = aStep('takeSdist', { project: 'skiff' }, { id: 'sdists/skiff', needs: ['source/skiff'] });
  const through = { ...pure, id: 'wheels/skiff', needs: ['sdists/skiff'] };
  const apart = { ...pure, id: 'wheels/other' };
  const steps = [source, lock, through, apart] as unknown as readonly Step[];
  const epochs: Record<string, string | undefined> = {};
  const keys: string[] = [];
  for (const [step, epoch] of [
    [through, 1700000000],
    [through, 1700000001],
    [apart, 1700000000],
  ] as const) {
    const { around, perform } = await world(step, { plan: { steps } });
    await around.store.create(
      records.result('run-0001', 'source/skiff'),
      aResult({ id: 'source/skiff', kind: 'fetchSource' }, { facts: { epoch } }),
    );
    await around.store.create(records.result('run-0001', 'sdists/skiff'), aResult(lock));
    await perform(async (work: Work) => {
      epochs[`${step.id} ${epoch}`] = work.env()['SOURCE_DATE_EPOCH'];
      return { artifacts: [], note: '' };
    });
    keys.push((await around.store.read<Result>(records.result('run-0001', step.id)))!.key);
  }
  expect(epochs).toEqual({
    'wheels/skiff 1700000000': '1700000000',
    'wheels/skiff 1700000001': '1700000001',
    'wheels/other 1700000000': undefined,
  });
  expect(keys[0]).not.toBe(keys[1]);
});

test('given a coded failure, then it has code, class and last lines in Temporal, which does not retry it', async () => {
  const { around, perform } = await world();
  const { failure, details } = await failureOf(
    perform((work) => work.must('echo boom >&2; exit 4').then(() => neverRuns(work))),
  );
  expect(failure).toMatchObject({ type: 'COMMAND_FAILED', nonRetryable: true });
  expect(details.problems[0]).toMatchObject({ class: 'product', evidence: expect.arrayContaining(['boom']) });
  expect(await readLog(around, records.log('run-0001', pure.id, 1))).toContain('slipway: COMMAND_FAILED: ');
});

test.each([
  [new TypeError('x is not a function'), 'UNEXPECTED', 'bug'],
  [Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), 'DISK_FULL', 'infra'],
  ['a text', 'UNEXPECTED', 'bug'],
])('given %s, then the failure in Temporal has the code %s', async (thrown, code, failureClass) => {
  const { perform } = await world();
  const { failure, details } = await failureOf(perform(() => Promise.reject(thrown)));
  expect(failure.type).toBe(code);
  expect(details.problems[0]).toMatchObject({ code, class: failureClass });
});

test('when an attempt is cancelled, then its program ends and it is reported as cancelled', async () => {
  const { perform, cancel } = await world();
  const ending = perform(async (work) => {
    work.signal.addEventListener('abort', () => undefined);
    setImmediate(cancel);
    await work.must('sleep 60');
    return { artifacts: [], note: '' };
  });
  await expect(ending).rejects.toBeInstanceOf(CancelledFailure);
});

test('when a worker ends, then Temporal retries its step elsewhere, and the engine counts no failure', async () => {
  const stopping = new AbortController();
  const { perform } = await world(pure, { around: { stopping: stopping.signal } });
  const ending = perform(async (work) => {
    setImmediate(() => stopping.abort());
    await work.must('sleep 60');
    return { artifacts: [], note: '' };
  });
  const { failure } = await failureOf(ending);
  expect(failure).toMatchObject({ type: 'WORKER_ENDED', nonRetryable: false });
});

test('when a worker drains, then another worker takes its waiting step', async () => {
  const { perform, cancel } = await world();
  const ending = perform(async (work) => {
    setImmediate(() => cancel('WORKER_SHUTDOWN'));
    await work.must('sleep 60');
    return { artifacts: [], note: '' };
  });
  const { failure } = await failureOf(ending);
  expect(failure).toMatchObject({ type: 'WORKER_ENDED', nonRetryable: false });
});

test.each<[string, 'CANCELLED' | 'WORKER_SHUTDOWN' | 'TIMED_OUT' | 'NOT_FOUND', boolean]>([
  ['its run is cancelled', 'CANCELLED', false],
  ['its worker drains', 'WORKER_SHUTDOWN', true],
  ['its worker was silent for too long', 'TIMED_OUT', true],
  ['Temporal knows it no more', 'NOT_FOUND', true],
])('when %s, then the body learns whether another worker takes over', async (_, reason, leaves) => {
  const { perform, cancel } = await world();
  let told: boolean | null = null;
  const ending = perform(async (work) => {
    expect(work.leaves()).toBe(false);
    setImmediate(() => cancel(reason));
    await work.must('sleep 60').finally(() => (told = work.leaves()));
    return { artifacts: [], note: '' };
  });
  await expect(ending).rejects.toThrow();
  expect(told).toBe(leaves);
});

test("given a worker with other tools than the run's, then it refuses the step, which is retried elsewhere", async () => {
  const step = { ...pure, toolchain: 'prove/queue/control', wants: ['prove/queue/control'] };
  const differs = async () => ['gcc 13 instead of 12'];
  const { around, perform } = await world(step, { around: { differs, worker: 'control@odd' } });
  const facts = { toolchain: 'sha256:t', tools: { gcc: '12' }, pythons: {} };
  const proof = aResult({ id: 'prove/queue/control', kind: 'proveQueue' }, { facts });
  await around.store.create(records.result('run-0001', 'prove/queue/control'), proof);
  const { details } = await failureOf(perform(neverRuns));
  expect(details.problems).toMatchObject([
    { code: 'TOOLCHAIN_DIFFERS', class: 'infra', message: expect.stringMatching(/control@odd .*gcc 13 instead of 12/) },
  ]);
});

const hangs: Body<'takeSdist'> = (work) =>
  new Promise((_, reject) => work.signal.addEventListener('abort', () => reject(new Error('the connection closed'))));

test('given a body that hangs without a program, then it is ended at its limit and not retried', async () => {
  const around = realSurroundings(await newHome());
  const step = { ...pure, limitMs: 50 };
  const input = { plan: `sha256:${'0'.repeat(64)}` as const, step: step.id, run: 'run-0001', attempt: 1 };
  const moment = { signal: new AbortController().signal, delivery: 1, graceMs: 0 };
  const error = await attemptStep(hangs, input, aPlan({ steps: [step as Step] }), around, moment).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ problems: [{ code: 'LIMIT_REACHED', class: 'product' }] });
});

test('given a step that waits for its turn longer than its limit, then its limit begins with its turn', async () => {
  const around = realSurroundings(await newHome());
  const step = { ...pure, limitMs: 20 };
  const plan = aPlan({ steps: [step as Step] });
  const input = { plan: `sha256:${'0'.repeat(64)}` as const, step: step.id, run: 'run-0001', attempt: 1 };
  const told: (string | null)[] = [];
  let isOver = true;
  const waits: Body<'takeSdist'> = async (work) => {
    work.takesTurn('another test has the cluster');
    await attemptStep(hangs, input, plan, around, { ...moment, onWaits: () => undefined }).catch(() => undefined);
    isOver = work.signal.aborted;
    work.takesTurn(null);
    return hangs(work);
  };
  const onWaits = (because: string | null): void => void told.push(because);
  const moment = { signal: new AbortController().signal, delivery: 1, graceMs: 0, onWaits };
  const ended = attemptStep(waits, input, plan, around, moment);
  await expect(ended).rejects.toMatchObject({ problems: [{ code: 'LIMIT_REACHED' }] });
  expect({ isOver, told }).toEqual({ isOver: false, told: ['another test has the cluster', null] });
});

test('given a plan missing in the store, then the step fails with PLAN_MISSING', async () => {
  const { around } = await world();
  const input = { plan: `sha256:${'0'.repeat(64)}` as const, step: 'x', run: 'r', attempt: 1 };
  const { failure } = await failureOf(new MockActivityEnvironment().run(createPerform(around)(neverRuns), input));
  expect(failure.type).toBe('PLAN_MISSING');
});
