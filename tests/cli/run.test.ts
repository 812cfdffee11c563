import { Readable } from 'node:stream';
import { runHasOtherPlan } from '../../src/client/errors.js';
import { fail } from '../../src/model/failure.js';
import { run } from '../../src/cli/commands/run.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { Plan, Step } from '../../src/model/plan.js';
import { aPlan, aStep } from '../support/run-body.js';
import type { Report } from '../../src/model/report.js';
import { records } from '../../src/model/run-folder.js';
import { aReport, aRun, inTheMiddle } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const STEPS = ['wheels/skiff/cp311', 'wheels/skiff/cp312', 'seal/manifest'].map((id) =>
  aStep('takeSdist', { project: 'skiff' }, { id }),
);
const planned = {
  digest: `sha256:${'ab'.repeat(32)}` as const,
  plan: aPlan({ profile: { name: 'local', rehearsal: true }, steps: STEPS as unknown as readonly Step[] }) as Plan,
};

/** Types `slipway run` with these options; answers what the server was asked to start, and what the plan was made of. */
async function typed(
  options: Record<string, string | boolean>,
  args: Record<string, string> = {},
  { taken = 0, confirms, env }: { taken?: number; confirms?: boolean; env?: Record<string, string> } = {},
) {
  const client = fakeClient([[inTheMiddle()]]);
  const submitted: unknown[][] = [];
  const of = [{ id: 'tests/night', from: 'ray', entries: taken, counts: { taken }, notices: [] }];
  const plan: Plan = taken === 0 ? planned.plan : { ...planned.plan, imports: { facts: planned.digest, of } };
  const ports = {
    ...fakePorts({ client, plan: planned, ...(confirms !== undefined && { confirms }) }),
    env: { USER: 'kim', ...env },
    submit: (...asked: unknown[]) => (submitted.push(asked), Promise.resolve({ ...planned, plan })),
  };
  const store = await ports.store();
  const error = await run.run({ args, options: { profile: 'local', ...options } }, fakeIo(), ports).then(
    () => null,
    (thrown: SlipwayFailure) => thrown.first.code,
  );
  const [file] = await store.list('runs/');
  const from = file === undefined ? null : await store.read(file);
  return { started: client.started, submitted, error, from };
}

const ASKED = {
  plan: planned.digest,
  ...{ profile: 'local', name: 'skiff', version: '1.2.3', rehearsal: true, by: 'kim', priority: 3 },
  ...{ stopAtGates: false, onFailure: 'hold' },
};

test.each<[string, Record<string, string | boolean>, object]>([
  ['nothing', {}, {}],
  ['--on-hold fail', { onHold: 'fail', wait: false }, { onFailure: 'fail' }],
  ['--on-hold wait', { onHold: 'wait', wait: false }, { onFailure: 'hold' }],
  ['--on-hold exit', { onHold: 'exit', wait: false }, { onFailure: 'hold' }],
  ['--no-cache', { cache: false }, { noCache: true }],
  ['--no-cache with one step', { cache: 'seal/manifest' }, { noCache: ['seal/manifest'] }],
  ['--no-cache with a prefix of ids', { cache: 'wheels, seal' }, { noCache: ['wheels', 'seal'] }],
  ['--stop-at-gates', { stopAtGates: true }, { stopAtGates: true }],
  ['--priority 1', { priority: '1' }, { priority: 1 }],
  ['--by', { by: 'lee' }, { by: 'lee' }],
])('given %s, then the start request is as expected', async (_, options, more) => {
  const { started, error } = await typed(options);
  expect(error).toBeNull();
  expect(started).toEqual([{ ...ASKED, ...more }]);
});

test.each([
  ['R7', null, { label: 'R7' }],
  ['date', null, { label: 'date' }],
  ['a/b', 'LABEL_INVALID', undefined],
  ['x'.repeat(300), 'LABEL_INVALID', undefined],
])('given --label %s, then the error is %s, and a valid label is passed to the plan', async (label, code, given) => {
  const { submitted, error } = await typed({ label });
  expect({ error, given: submitted[0]?.[2] }).toEqual({ error: code, given });
});

test('given --no-cache with an unknown step, then nothing starts', async () => {
  const { started, error } = await typed({ cache: 'wheels/skif' });
  expect({ started, error }).toEqual({ started: [], error: 'NO_CACHE_NAMES_NOTHING' });
});

test.each([
  ['the release file of this folder', {}, 'slipway.yaml'],
  ['the named one', { file: 'other/slipway.yaml' }, 'other/slipway.yaml'],
])('given %s, then the plan is made of it and of the profile', async (_, args, file) => {
  const { submitted } = await typed({ profile: 'staging' }, args);
  expect(submitted.map(([path, profile]) => [path, profile])).toEqual([[file, 'staging']]);
});

test.each<[string, number, Record<string, string | boolean>, boolean | undefined, number]>([
  ['six tests by --where, and a no', 6, { where: 'team:core' }, false, 0],
  ['six tests by --where, and a yes', 6, { where: 'team:core' }, true, 1],
  ['six tests by --where, and --yes', 6, { where: 'team:core', yes: true }, false, 1],
  ['six tests by --where, where nobody is at a terminal', 6, { where: 'team:core' }, undefined, 1],
  ['five tests by --where', 5, { where: 'team:core' }, false, 1],
  ['six tests as the file says', 6, {}, false, 1],
])('given %s, then it asks and starts accordingly', async (_, taken, options, confirms, starts) => {
  const { started, error } = await typed(options, {}, { taken, ...(confirms !== undefined && { confirms }) });
  expect({ error, starts: started.length }).toEqual({ error: null, starts });
});

test.each<[string, 'start' | 'store']>([
  ['before the server answers the start', 'start'],
  ['before the start is recorded', 'store'],
])('given Ctrl-C %s, then one line says that the run may be open, and the exit code is 1', async (_, when) => {
  const interrupting = new AbortController();
  const silent = (): Promise<never> => (interrupting.abort(), new Promise(() => undefined));
  const client = { ...fakeClient([[inTheMiddle()]]), ...(when === 'start' && { start: silent }) };
  const ports = {
    ...fakePorts({ client, plan: planned }),
    ...(when === 'store' && { store: silent }),
    client: () => Promise.resolve(client),
    interrupt: () => interrupting.signal,
  };
  const io = fakeIo();
  expect(await run.run({ args: {}, options: { profile: 'local' } }, io, ports)).toBe(1);
  expect([io.printed, io.chatter]).toEqual([
    [],
    ['Interrupted: rehearsal/skiff/1.2.3 may have been started. `slipway status rehearsal/skiff/1.2.3` shows it.'],
  ]);
});

test.each([
  ['another commit', 'f'.repeat(40), 'the open one of commit ffffffffffff, this one of 000000000000'],
  ['the same commit', '0'.repeat(40), 'both of commit 000000000000'],
])('given an open run of another plan of %s, then the refusal names the commits', async (_, commit, told) => {
  const [id, open] = ['rehearsal/skiff/1.2.3', `sha256:${'cd'.repeat(32)}` as const];
  const client = {
    ...fakeClient([[aRun({ workflowId: id })]]),
    start: () => Promise.reject(fail(runHasOtherPlan(id, open, planned.digest))),
  };
  const theirs = { ...planned.plan, source: { kind: 'git', commit, branch: null } };
  const store = {
    ...fakeStore({ [records.started(aRun().run)]: { run: aRun().run, plan: open } }),
    has: async () => true,
    get: async (digest: string) =>
      Readable.from([Buffer.from(JSON.stringify(digest === open ? theirs : planned.plan))]),
  };
  const ports = fakePorts({ client, plan: planned, store });
  await expect(run.run({ args: {}, options: { profile: 'local' } }, fakeIo(), ports)).rejects.toMatchObject({
    first: { code: 'RUN_HAS_OTHER_PLAN', message: expect.stringContaining(`(${told})`) as string },
  });
  expect(
    await run
      .run({ args: {}, options: { profile: 'local' } }, fakeIo(), {
        ...ports,
        store: () => Promise.reject(new Error()),
      })
      .catch((error: SlipwayFailure) => error.first),
  ).toEqual(runHasOtherPlan(id, open, planned.digest));
});

const BUILD = 'https://buildkite.example.invalid/7';

test.each<[string, Record<string, string>, object]>([
  ['no CI', {}, {}],
  ['Buildkite', { BUILDKITE_BUILD_URL: BUILD, BUILDKITE_JOB_ID: 'j-1' }, { buildkite: { url: BUILD, job: 'j-1' } }],
  ['half of the variables', { BUILDKITE_BUILD_URL: BUILD }, {}],
  ['a page with a password', { BUILDKITE_BUILD_URL: 'https://k:pw@b.invalid/7', BUILDKITE_JOB_ID: 'j-1' }, {}],
])('given %s, then the record of the run says what started it', async (_, env, more) => {
  const { from } = await typed({}, {}, { env });
  expect(from).toEqual({ file: '/somewhere/slipway.yaml', ...more });
});

describe('given `--wait`, when a run of a pipeline ends', () => {
  const ended = aRun({
    workflowId: 'rehearsal/skiff/1.2.3',
    state: 'ended',
    endedAt: 1,
    verdict: { verdict: 'done', reasons: [] },
  });
  const moved = { level: 'warning', code: 'ABI_MOVED', subject: 'debian-12', why: 'it moved', next: 'Run.' } as const;
  const base = 'bases/of-platform/debian-12';

  /** Starts of a command whose run has such a report. */
  async function starts(report: Partial<Report>): Promise<number> {
    const client = fakeClient([[ended]]);
    const store = fakeStore({ [records.report(ended.run)]: { ...aReport(), ...report } });
    const options = { profile: 'local', wait: true };
    await run.run({ args: {}, options }, fakeIo(), fakePorts({ client, plan: planned, store }));
    return client.started.length;
  }

  test.each<[string, Partial<Report>, number]>([
    ['its base lost no library', { pipeline: true }, 1],
    ['its base lost libraries', { ...reportOf('done'), pipeline: true }, 2],
    ['a base of an earlier run lost libraries', { ...reportOf('cached'), pipeline: true }, 1],
    ['it is a release', reportOf('done'), 1],
  ])('and %s, then %#: the runs started are as expected', async (_, report, count) => {
    expect(await starts(report)).toBe(count);
  });

  function reportOf(outcome: 'done' | 'cached'): Partial<Report> {
    const step = { id: base, kind: 'makeBase', stage: 'images', outcome, ms: 1, note: '' } as const;
    return { steps: [step], findings: [{ ...moved, step: base }] };
  }
});
