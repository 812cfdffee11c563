import { bisect } from '../../src/cli/commands/bisect.js';
import { pause } from '../../src/cli/commands/pause.js';
import { status as statusCommand } from '../../src/cli/commands/status.js';
import { watch } from '../../src/cli/commands/watch.js';
import { why } from '../../src/cli/commands/why.js';
import { answerLines, triedLines } from '../../src/cli/screens/bisect.js';
import type { TestsPort } from '../../src/cli/ports.js';
import type { BisectAnswer, BisectInput, BisectStatus, Tried } from '../../src/model/bisect.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import type { Plan } from '../../src/model/plan.js';
import type { Standings } from '../../src/model/tests/standing.js';
import { aProblem } from '../engine/a-skeleton.js';
import { expectGolden } from '../support/golden.js';
import { aPlan } from '../support/run-body.js';
import { fakeClient, fakeIo, fakePorts } from './fake-ports.js';

const COMMITS = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40));
const VARIANT = 'spread@linux-x86_64@cp311';
const variants = ['cp310', 'cp311'].map((python) => ({
  id: `tests/spread/${python}/linux-x86_64`,
  axes: { python, platform: 'linux-x86_64' },
}));
const triable: Plan = { ...aPlan({}), steps: variants, pipeline: true, effects: [] } as unknown as Plan;

const status = (answer?: BisectAnswer, tried: readonly Tried[] = []): BisectStatus => ({
  ...{ test: 'sail', commits: COMMITS, tried, state: answer ? 'ended' : 'trying' },
  ...(answer && { answer }),
});

/** Types `slipway bisect sail` on a server whose bisect has ended. */
async function typed(
  options: Record<string, string | boolean>,
  last: BisectStatus,
  tests?: Partial<TestsPort>,
  silences = 0,
  name = 'tests/sail',
) {
  const started: { workflowId: string; input: BisectInput }[] = [];
  const client = {
    ...fakeClient([]),
    startBisect: async (workflowId: string, input: BisectInput) => {
      started.push({ workflowId, input });
      return { workflowId, run: 'r', existing: false };
    },
    bisectStatus: () =>
      (silences -= 1) >= 0 ? Promise.reject(fail(aProblem({ code: 'NO_WORKER_ANSWERS' }))) : Promise.resolve(last),
  };
  const ends: unknown[] = [];
  const ports = {
    ...fakePorts({ client, plan: { plan: triable, digest: `sha256:${'0'.repeat(64)}` } }),
    tests: () =>
      tests ? Promise.resolve(tests as TestsPort) : Promise.reject(fail(aProblem({ code: 'NO_STANDINGS' }))),
    bisectSpan: async (file: string, asked: unknown) => {
      ends.push(asked);
      return { pipeline: 'night', commits: COMMITS, file };
    },
  };
  const io = fakeIo();
  const code = await bisect
    .run({ args: { test: name, file: '/x/slipway.yaml' }, options }, io, ports)
    .catch((error: SlipwayFailure) => error.first.code);
  return { code, started, ends, io };
}

const BLAMED: BisectAnswer = { answer: 'blamed', commit: 3, repeats: 1 };

test('given two ends, then it starts the bisect with full hashes and prints its answer', async () => {
  const { code, started, io } = await typed({ good: '111', bad: 'main' }, status(BLAMED));

  expect(code).toBe(0);
  expect(started).toMatchObject([
    {
      workflowId: 'bisect/night/sail/55555555',
      input: { test: 'sail', good: COMMITS[0], bad: COMMITS[4], ways: 3, profile: 'local' },
    },
  ]);
  expect(io.printed.join('\n')).toContain(`blamed  ${COMMITS[3]}`);
});

test('given no ends, then it takes them from the standing', async () => {
  const nights = ['1', '2', '3'].map((label, at) => ({ no: at + 1, run: 'r', label, at: '', commit: COMMITS[at]! }));
  const standings = { nights, tests: { sail: { letters: 'PFF' } } } as unknown as Standings;

  const { ends } = await typed({}, status(BLAMED), { read: async () => standings });

  expect(ends).toEqual([{ good: COMMITS[0], bad: COMMITS[1] }]);
});

describe('given a test whose variants have standings', () => {
  const nights = ['1', '2', '3'].map((label, at) => ({ no: at + 1, run: 'r', label, at: '', commit: COMMITS[at]! }));
  const withTests = (...names: readonly string[]): Partial<TestsPort> => {
    const one = { title: 'Spread', letters: 'PFF' };
    const all = { nights, tests: Object.fromEntries(names.map((name) => [name, one])) } as unknown as Standings;
    return { read: async () => all };
  };
  const OTHER = 'spread@linux-x86_64@cp310';
  const both = { good: '1', bad: '5' };

  test.each<[string, string, Record<string, string>, string[], string]>([
    ['the entry of one variant, without ends', 'spread', {}, [VARIANT], VARIANT],
    ['the entry of one variant, with both ends', 'spread', both, [VARIANT], VARIANT],
    ['the name in records', VARIANT, {}, [VARIANT, OTHER], VARIANT],
    ['the name in records, before a night', VARIANT, both, [], VARIANT],
    ['the title', 'Spread', {}, [VARIANT], VARIANT],
    ['the entry of two variants, with both ends', 'spread', both, [VARIANT, OTHER], 'spread'],
  ])('when %s is typed, then the bisect is of the expected test', async (_, name, options, known, test) => {
    const { started } = await typed(options, status(BLAMED), withTests(...known), 0, name);
    expect(started).toMatchObject([{ workflowId: `bisect/night/${test}/55555555`, input: { test } }]);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['the entry of two variants, without ends', 'spread', {}, 'MANY_TESTS'],
    ['a variant that no step has', 'spread@cp39', both, 'BISECT_NO_VARIANT'],
  ])('when %s is typed, then nothing starts', async (_, name, options, code) => {
    const refused = await typed(options, status(BLAMED), withTests(VARIANT, OTHER), 0, name);
    expect(refused).toMatchObject({ code, started: [] });
  });
});

test.each<[string, Record<string, string>, string]>([
  ['no ends and no standing', {}, 'BISECT_NO_ENDS'],
  ['one end alone', { good: '1' }, 'BISECT_NO_ENDS'],
  ['--ways 0', { good: '1', bad: '5', ways: '0' }, 'BISECT_WAYS'],
  ['--ways many', { good: '1', bad: '5', ways: 'many' }, 'BISECT_WAYS'],
])('given %s, then it is refused with %s and nothing starts', async (_, options, code) => {
  const refused = await typed(options, status(BLAMED));
  expect(refused.code).toBe(code);
  expect(refused.started).toEqual([]);
});

test('given a worker that answers late, then the command waits for the answer', async () => {
  const { code, io } = await typed({ good: '1', bad: '5' }, status(BLAMED), undefined, 1);
  expect(code).toBe(0);
  expect(io.printed.join('\n')).toContain(`blamed  ${COMMITS[3]}`);
});

test('given an answer without a commit, then it exits with 1', async () => {
  expect((await typed({ good: '1', bad: '5' }, status({ answer: 'fails at the good end' }))).code).toBe(1);
});

test('given the id of a bisect, then pause finds it', async () => {
  const asked: unknown[] = [];
  const workflowId = 'bisect/night/sail/55555555';
  const client = {
    ...fakeClient([]),
    runs: async (...args: unknown[]) => {
      asked.push(args[1]);
      return [{ workflowId, run: 'r', startedAt: 1, open: true }];
    },
  };
  await pause.run({ args: {}, options: { run: workflowId } }, fakeIo(), fakePorts({ client }));
  expect(asked).toEqual(['bisect']);
});

/** A server that has one bisect. */
function withBisect(last: BisectStatus) {
  const runs = async () => [{ workflowId: 'bisect/night/sail/55555555', run: 'r', startedAt: 1, open: true }];
  return fakePorts({ client: { ...fakeClient([]), runs, bisectStatus: () => Promise.resolve(last) } });
}
const NAMED = { args: { run: 'bisect/night/sail/55555555' }, options: {} };

test('given the id of a bisect, then status prints its tries and its answer', async () => {
  const tried: readonly Tried[] = [{ commit: 4, tries: ['fail'], running: 1 }];
  const [open, ended] = [fakeIo(), fakeIo()];
  await statusCommand.run(NAMED, open, withBisect(status(undefined, tried)));
  expect(open.printed.join('\n')).toMatch(/^bisect\/night\/sail\/55555555  trying\n.*\n  555555555555  ○…  bad end$/);
  await statusCommand.run(NAMED, ended, withBisect(status(BLAMED, tried)));
  expect(ended.printed.join('\n')).toContain(`blamed  ${COMMITS[3]}`);
});

test.each([
  ['watch', watch.run.bind(watch), NAMED],
  ['why', why.run.bind(why), { args: { subject: 'sail' }, options: { run: NAMED.args.run } }],
])('given the id of a bisect, then %s says what shows it', async (_, run, typedAs) => {
  const error = await run(typedAs, fakeIo(), withBisect(status())).catch((thrown: SlipwayFailure) => thrown.first);
  expect(error).toMatchObject({ code: 'RUN_IS_BISECT', next: expect.stringContaining(NAMED.args.run) });
});

test('given every kind of answer, then the printed text is as expected', () => {
  const tried: readonly Tried[] = [
    { commit: 0, tries: ['pass', 'pass'], running: 0 },
    { commit: 2, tries: ['unbuildable'], running: 0, because: 'COMMAND_FAILED: make exited with 2' },
    { commit: 3, tries: ['infra', 'fail'], running: 0, because: 'TEST_FAILED: sail exited with 1' },
    { commit: 4, tries: ['fail', 'pass', 'fail'], running: 2, because: 'TEST_FAILED: sail exited with 1' },
  ];
  const answers: readonly BisectAnswer[] = [
    BLAMED,
    { answer: 'blamed', commit: 3, repeats: 5 },
    { answer: 'span', from: 1, to: 3, repeats: 1 },
    { answer: 'not monotone', from: 1, to: 4, repeats: 2 },
    { answer: 'fails at the good end' },
    { answer: 'passes at the bad end' },
    { answer: 'cannot be tried', commit: 4 },
  ];
  const asked = status(undefined, tried);
  expectGolden(
    'cli/bisect.txt',
    [...triedLines(asked), ...answers.flatMap((answer) => ['', ...answerLines(answer, asked)])].join('\n'),
  );
});
