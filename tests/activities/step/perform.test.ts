import { MockActivityEnvironment } from '@temporalio/testing';
import { type ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { writeFile } from 'node:fs/promises';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { attemptStep } from '../../../src/activities/step/attempt.js';
import { createPerform } from '../../../src/activities/step/perform.js';
import type { Surroundings } from '../../../src/activities/step/ports.js';
import type { Body, Work } from '../../../src/activities/work.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { FailureDetails, StepEnding } from '../../../src/model/messages.js';
import type { Plan, Step, StepOf } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { records, type Started } from '../../../src/model/run-folder.js';
import { aPlan, aResult, aStep, newHome, readLog, realSurroundings } from '../../support/run-body.js';

// The SDK tells of each failed attempt; here they fail on purpose.
Runtime.install({ logger: new DefaultLogger('ERROR') });

const pure = aStep('takeSdist', { project: 'skiff' });
const done: Body<KindName> = async (work) => {
  await work.must('echo made > out.txt; echo made');
  return { artifacts: [await work.keep(`${work.folder}/out.txt`, 'file')], facts: { a: 1 }, note: 'one file' };
};
const neverRuns: Body<KindName> = () => Promise.reject(new Error('the body ran'));

async function world(
  step: StepOf<KindName> = pure,
  more: { plan?: Partial<Plan>; around?: Partial<Surroundings> } = {},
) {
  const around = realSurroundings(await newHome(), more.around);
  const plan = aPlan({ steps: [step as Step], ...more.plan });
  const { digest } = await around.store.put(asBytes(canonical(plan)));
  const environment = (attempt: number) =>
    new MockActivityEnvironment({ attempt, workflowExecution: { workflowId: 'release/skiff/1.2.3', runId: 'r' } });
  let current = environment(1);
  const perform = (body: Body<KindName>, run = 'run-0001', attempt = 1): Promise<StepEnding> => {
    current = environment(1);
    return current.run(createPerform(around)(body), {
      plan: digest,
      step: step.id,
      run,
      attempt,
    }) as Promise<StepEnding>;
  };
  return { around, digest, perform, cancel: () => current.cancel() };
}

async function* asBytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

async function failureOf(ending: Promise<unknown>): Promise<{ failure: ApplicationFailure; details: FailureDetails }> {
  const failure = (await ending.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error,
  )) as ApplicationFailure;
  return { failure, details: failure.details?.[0] as FailureDetails };
}

test('a step is done once: its result is recorded and the run is found by its start', async () => {
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

test('an attempt whose answer was lost finds the result of the run and runs nothing', async () => {
  const { perform } = await world();
  await perform(done);
  expect(await perform(neverRuns, 'run-0001', 2)).toMatchObject({ outcome: 'done', note: 'one file' });
});

test('another run adopts the result of a pure step by its key', async () => {
  const { around, perform } = await world();
  await perform(done);
  expect(await perform(neverRuns, 'run-0002')).toMatchObject({ outcome: 'cached', note: 'one file' });
  const [first, second] = await Promise.all(
    ['run-0001', 'run-0002'].map((run) => around.store.read<Result>(records.result(run, pure.id))),
  );
  expect(second).toEqual(first);
});

test('of two runs at once the first result stands for both', async () => {
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

test('a result whose bytes are gone is made again', async () => {
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

test('a probe is asked each time, and gets what was known', async () => {
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

test('needed results are inputs, wanted ones where they exist; a missing needed one is told', async () => {
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
    expect(work.toolchain).toEqual({ digest: 'sha256:t', tools: { uv: '1' }, pythons: { cp312: '/py' } });
    expect(work.env()['SOURCE_DATE_EPOCH']).toBe('1700000000');
    return { artifacts: [], note: '' };
  });
});

test('the time of the source is seen by what stands on it, and by nothing else', async () => {
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

test('a coded failure crosses with its code, class and last lines, and is never retried by Temporal', async () => {
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
])('%s crosses as %s', async (thrown, code, failureClass) => {
  const { perform } = await world();
  const { failure, details } = await failureOf(perform(() => Promise.reject(thrown)));
  expect(failure.type).toBe(code);
  expect(details.problems[0]).toMatchObject({ code, class: failureClass });
});

const SECRET = 'hunter2+"ha/nd ünter';
const TOKEN = { around: { env: { ...process.env, TOKEN: SECRET } } };
/** As programs show it: whole, in a header for HTTP, in an address, in JSON. */
const SHOWN = [
  SECRET,
  Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
  Buffer.from(`__token__:${SECRET}`).toString('base64'),
  Buffer.from(`me:${SECRET}`).toString('base64url'),
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET),
];
/** What would tell it to somebody who looks for any of its faces. */
const TELLS = ['hunter2', 'hunter2%2B', ...[0, 1, 2].map(inBase64)];
function inBase64(before: number): string {
  const text = Buffer.from('x'.repeat(before) + SECRET).toString('base64');
  return text.slice(before === 0 ? 0 : before + 1, text.length - 4).replace(/=+$/, '');
}
const mustNotTell = (text: string): void => TELLS.forEach((told) => expect(text).not.toContain(told));

test('no secret leaves the worker, in the log or in a failure', async () => {
  const { around, perform } = await world(pure, TOKEN);
  const { failure } = await failureOf(
    perform(async (work) => {
      await work.secret('$TOKEN');
      for (const shown of SHOWN) work.log.write(`token=${shown}\n`);
      return work.must('exit 1').then(() => neverRuns(work));
    }),
  );
  mustNotTell(JSON.stringify([failure.message, failure.details]));
  const log = await readLog(around, records.log('run-0001', pure.id, 1));
  mustNotTell(log);
  expect(log).toContain('token=$TOKEN\ntoken=$TOKEN\n');
});

test.each(SHOWN)('an exception that says %j crosses without it, and so does its stack', async (shown) => {
  const { around, perform } = await world(pure, TOKEN);
  const { failure } = await failureOf(
    perform(async (work) => {
      await work.secret('$TOKEN');
      throw Object.assign(new Error(`cannot log in with ${shown}`), { stack: `Error\n    at ${shown}\n    at b` });
    }),
  );
  mustNotTell(JSON.stringify([failure.message, failure.details, failure.stack, String(failure.cause)]));
  expect(failure.message).toContain('cannot log in with');
  mustNotTell(await readLog(around, records.log('run-0001', pure.id, 1)));
});

test('facts, findings and the note of a result say no secret', async () => {
  const { around, perform } = await world(pure, TOKEN);
  const ending = await perform(async (work) => {
    const value = await work.secret('$TOKEN');
    const why = SHOWN.join(' ');
    return {
      artifacts: [],
      facts: { deep: [{ [value]: SHOWN }], count: 1 },
      findings: [{ level: 'note', code: 'X', subject: value, why, next: why }],
      note: why,
    };
  });
  mustNotTell(JSON.stringify(ending));
  const result = await around.store.read<Result>(records.result('run-0001', pure.id));
  mustNotTell(JSON.stringify(result));
  expect(result!.facts).toMatchObject({ count: 1, deep: [{ $TOKEN: expect.arrayContaining(['$TOKEN']) }] });
});

describe('a secret that another step of the plan uses', () => {
  const target = { name: 'shelf', kind: 'python', address: '', repository: null, username: 'me' } as const;
  const printed = async (password: string, env: Record<string, string> = {}, before?: Body<KindName>) => {
    const params = { target: { ...target, password }, of: [], tags: [] };
    const publish = aStep('publishArtifacts', params, { id: 'publish/shelf' });
    const { around, perform } = await world(pure, {
      plan: { steps: [pure, publish] as unknown as readonly Step[] },
      around: { env: { ...process.env, ...env } },
    });
    if (before) await perform(before, 'run-0000');
    await perform(async (work) => {
      SHOWN.forEach((shown) => work.log.write(`${shown}\n`));
      return { artifacts: [], facts: { run: work.run }, note: '' };
    });
    const log = await readLog(around, records.log('run-0001', pure.id, 1));
    return log.split('\n').slice(1);
  };
  const fileOf = async (): Promise<string> => {
    const path = `${await newHome()}/token`;
    await writeFile(path, `${SECRET}\n`);
    return path;
  };

  test.each([
    ['a variable', async () => printed('$TOKEN', { TOKEN: SECRET })],
    ['a file', async () => printed(`file:${await fileOf()}`)],
  ])('and that is in %s is hidden where this one prints it', async (_where, print) => {
    const lines = await print();
    mustNotTell(lines.join('\n'));
    expect(lines.length).toBeGreaterThanOrEqual(SHOWN.length);
  });

  test('and that a command gave before is hidden from then on', async () => {
    const reference = `command:cat ${await fileOf()}`;
    const ask: Body<KindName> = async (work) => {
      expect(await work.secret(reference)).toBe(SECRET);
      throw new Error('enough');
    };
    mustNotTell(
      (await printed(reference, {}, (work) => ask(work).catch(() => ({ artifacts: [], note: '' })))).join('\n'),
    );
  });
});

test.each([
  ['$NOT_SET', /not set/],
  ['file:/nowhere/at/all', /ENOENT/],
  ['command:echo tell-tale >&2; echo tell-tale; exit 3', /status 3/],
  ['command:true', /printed nothing/],
])('%s that gives nothing is told without what it printed', async (reference, why) => {
  const { around, perform } = await world();
  const { details } = await failureOf(perform((work) => work.secret(reference).then(() => neverRuns(work))));
  expect(details.problems[0]).toMatchObject({ code: 'SECRET_MISSING', message: expect.stringMatching(why) });
  expect(details.problems[0]!.evidence).toEqual([]);
  const log = await readLog(around, records.log('run-0001', pure.id, 1));
  expect(log.split('\n').filter((line) => line === 'tell-tale')).toEqual([]);
});

test('the password of a mirror is in no log', async () => {
  const mirror = 'http://reader:sesame%2Fopen@127.0.0.1:1/simple/';
  const { around, perform } = await world(pure, { around: { env: { ...process.env, PIP_INDEX_URL: mirror } } });
  await perform(async (work) => {
    await work.must('echo "looking in $PIP_INDEX_URL"; echo sesame/open');
    return { artifacts: [], note: '' };
  });
  const log = await readLog(around, records.log('run-0001', pure.id, 1));
  expect(log).toContain('looking in http://reader:$PIP_INDEX_URL@127.0.0.1');
  expect(log).not.toContain('sesame');
});

test('a cancelled attempt ends its program and is reported as cancelled', async () => {
  const { perform, cancel } = await world();
  const ending = perform(async (work) => {
    work.signal.addEventListener('abort', () => undefined);
    setImmediate(cancel);
    await work.must('sleep 60');
    return { artifacts: [], note: '' };
  });
  await expect(ending).rejects.toBeInstanceOf(CancelledFailure);
});

test('a worker that ends leaves its step to another: Temporal gives it out again, and the engine counts no failure', async () => {
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

test('a worker with other tools than the run has pinned refuses the step; it is tried again elsewhere', async () => {
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

test('a body that hangs without a program of its own is ended at its limit, and not tried again', async () => {
  const around = realSurroundings(await newHome());
  const step = { ...pure, limitMs: 50 };
  const hangs: Body<'takeSdist'> = (work) =>
    new Promise((_, reject) => work.signal.addEventListener('abort', () => reject(new Error('the connection closed'))));
  const input = { plan: `sha256:${'0'.repeat(64)}` as const, step: step.id, run: 'run-0001', attempt: 1 };
  const moment = { signal: new AbortController().signal, delivery: 1, graceMs: 0 };
  const error = await attemptStep(hangs, input, aPlan({ steps: [step as Step] }), around, moment).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ problems: [{ code: 'LIMIT_REACHED', class: 'product' }] });
});

test('a plan that is not in the store is told', async () => {
  const { around } = await world();
  const input = { plan: `sha256:${'0'.repeat(64)}` as const, step: 'x', run: 'r', attempt: 1 };
  const { failure } = await failureOf(new MockActivityEnvironment().run(createPerform(around)(neverRuns), input));
  expect(failure.type).toBe('PLAN_MISSING');
});
