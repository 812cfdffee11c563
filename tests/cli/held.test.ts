import { Readable } from 'node:stream';
import { run } from '../../src/cli/commands/run.js';
import { status } from '../../src/cli/commands/status.js';
import { watch } from '../../src/cli/commands/watch.js';
import { why } from '../../src/cli/commands/why.js';
import { follow } from '../../src/cli/follow.js';
import { givenIn, typedOptions } from '../../src/cli/given.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Given, Plan } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import { aPlan } from '../support/run-body.js';
import { aRun, aStep, compileError, inTheMiddle, rehearsed } from './a-run.js';
import { fakeClient, fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const input = (options: Record<string, string | boolean> = {}) => ({ args: {}, options });
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: SlipwayFailure) => error.first.code,
  );
const ID = 'rehearsal/skiff/1.2.0';
const stepOf = (id: string) => aStep(id, 'runCommand', 'held', { ms: 1000, problems: [compileError] });
const held = (...ids: readonly string[]): RunStatus => aRun({ state: 'held', steps: ids.map(stepOf) });
const RETRY = `  slipway retry steps/a --run ${ID}`;
const WATCHES_ON = 'This command goes on watching. Ctrl-C leaves it, and the run goes on waiting.';

describe.each([
  ['watch on a terminal', true, {}],
  ['watch --on-hold wait', false, { onHold: 'wait' }],
])('given %s, when the run is held', (_, live, options) => {
  test('then it prints the failure and each complete command once, says last how to leave, and goes on', async () => {
    const io = fakeIo(live);
    const later = { ...held('steps/a'), refused: [] };
    const ports = fakePorts({ client: fakeClient([[held('steps/a'), later, rehearsed()]]) });
    expect(await watch.run(input(options), io, ports)).toBe(0);
    const told = io.printed.filter((text) => text.includes(WATCHES_ON));
    expect(told).toHaveLength(1);
    const lines = told[0]!.split('\n');
    expect(lines).toEqual(expect.arrayContaining(['✗ steps/a failed and is held after 1.0 s', RETRY]));
    expect(lines.at(-1)).toBe(WATCHES_ON);
  });
});

test('given a terminal, when the run is held, then nothing is drawn over what it says', async () => {
  jest.useFakeTimers();
  const io = fakeIo(true);
  let goOn = (): void => undefined;
  const answered = new Promise<void>((resolve) => (goOn = resolve));
  async function* statuses(): AsyncGenerator<RunStatus> {
    yield held('steps/a');
    await answered;
  }
  const followed = follow(statuses(), 'tree', io, { halted: async () => ['held here'] });
  await jest.advanceTimersByTimeAsync(2000);
  expect(io.printed.at(-1)).toBe('held here');
  expect(io.printed.at(-2)).toBe('\u001b[?25h');
  goOn();
  await followed;
  expect(io.printed.at(-1)).toBe('held here');
  jest.useRealTimers();
});

test('given other steps that are held after a retry, then they are told too', async () => {
  const io = fakeIo();
  const ports = fakePorts({ client: fakeClient([[held('steps/a'), aRun(), held('steps/b'), rehearsed()]]) });
  await watch.run(input({ onHold: 'wait' }), io, ports);
  expect(io.printed.filter((text) => text.includes(WATCHES_ON))).toHaveLength(2);
});

test.each([
  ['watch', {}, 4],
  ['watch --on-hold exit', { onHold: 'exit' }, 4],
  ['watch --on-hold wait', { onHold: 'wait' }, 0],
])('given `%s` off a terminal, when the run is held, then it ends accordingly', async (_, options, code) => {
  const io = fakeIo();
  const ports = fakePorts({ client: fakeClient([[held('steps/a'), rehearsed()]]) });
  expect(await watch.run(input(options), io, ports)).toBe(code);
  expect(io.printed.join('\n')).toContain(RETRY);
});

test('given watch --on-hold fail, then it is refused, because only a start decides that', async () => {
  const ports = fakePorts({ client: fakeClient([[held('steps/a')]]) });
  expect(await codeOf(watch.run(input({ onHold: 'fail' }), fakeIo(), ports))).toBe('NOT_AN_ANSWER');
});

/** A home that knows the file and the plan of the run. */
function knowing(plan: Plan, one: RunStatus, commit?: string) {
  const store = {
    ...fakeStore({ [records.file(one.run)]: { file: '/somewhere/a b.yaml' } }),
    has: async () => true,
    get: async () => Readable.from([Buffer.from(JSON.stringify(plan))]),
  };
  return fakePorts({ client: fakeClient([[one]]), store, ...(commit && { commit }) });
}
const planned = (more: object): Plan =>
  ({ ...aPlan(), release: { name: 'tiny', version: 'n-1' }, source: { kind: 'git', commit: 'c1' }, ...more }) as Plan;

test.each([
  ['the commit of the plan', 'c1', 1],
  ['another commit', 'c2', 0],
])(
  'given a file that names %s, then `run --supersede` is at its place in the commands of status',
  async (_, commit, at) => {
    const io = fakeIo();
    const plan = planned({
      profile: { name: 'live', rehearsal: false },
      given: { set: ["a.b='x'"], preset: ['one', 'two'] },
    });
    await status.run(input(), io, knowing(plan, held('steps/a'), commit));
    const lines = io.printed.join('\n').split('\n');
    const commands = lines.slice(lines.indexOf(`held  ${ID} waits for an action:`) + 1);
    expect(commands[at]).toBe(
      `  slipway run 'a b.yaml' --profile live --preset one,two --set 'a.b='\\''x'\\''' --supersede   # with a changed file or commit; finished steps are reused`,
    );
    expect(commands[1 - at]).toBe(RETRY);
  },
);

test('given a held run of a pipeline, then the command that replaces it has its label', async () => {
  const io = fakeIo();
  const plan = planned({ pipeline: true, given: { label: 'minute' } });
  const one = { ...held('steps/a'), pipeline: true as const, version: 'n-1' };
  await status.run(input(), io, knowing(plan, one));
  expect(io.printed.join('\n')).toMatch(/^ {2}slipway run 'a b\.yaml' --label n-1 --supersede /m);
});

test.each<[string, Partial<RunStatus>, RegExp]>([
  ['an open run', {}, new RegExp(`^Next\\n {2}slipway watch ${ID}$`, 'm')],
  [
    'a cancelled run',
    { state: 'ended', verdict: { verdict: 'cancelled', reasons: [] } },
    /^ {2}slipway audit 0195e7aa/m,
  ],
])('given %s, then status ends with commands that it takes', async (_, more, command) => {
  const io = fakeIo();
  await status.run(input(), io, fakePorts({ client: fakeClient([[aRun(more)]]) }));
  const text = io.printed.join('\n');
  expect(text).toMatch(command);
  expect(text.split('\n').slice(-4).join('\n')).not.toMatch(/^ {2}slipway status$/m);
});

test.each<[string, Given]>([
  ['no options', {}],
  ['texts', { label: 'n-1', schedule: 'nightly', build: '7', pull: '77', since: 'origin/main' }],
  ['lists', { preset: ['a', 'b'], set: ['a=[1, 2]', "b='x'"], skip: ['steps/a'], only: ['tests/b', 'tests/c'] }],
  ['flags', { snapshot: true, offline: true }],
  [
    'wheels and tests',
    { wheels: { ray: 'owner:fix', boat: 'x' }, tests: { where: ['team:core', 'name:a b'], smoke: true } },
  ],
])('given a plan with %s, then what is typed again gives the same options', (_, given) => {
  const typed = typedOptions({ given }).map((text) => /^--(\w+)(?: (.*))?$/.exec(text)!);
  const bare = (text: string): string => (text.startsWith("'") ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text);
  const options: Record<string, string | boolean> = {};
  for (const [, name, value] of typed) {
    const before = options[name!];
    options[name!] = value === undefined ? true : before === undefined ? bare(value) : `${before}\0${bare(value)}`;
  }
  expect(givenIn(options)).toEqual(given);
});

test('given `slipway why` alone, then it says what it can be asked', async () => {
  const asked = why.run(input(), fakeIo(), fakePorts({ client: fakeClient([[aRun()]]) }));
  await expect(asked).rejects.toMatchObject({
    problems: [{ code: 'SUBJECT_MISSING', next: expect.stringContaining('`slipway why SUBJECT FILE`') as string }],
  });
});

test('given run --wait on a terminal with --on-hold exit, then the last line says how to come back', async () => {
  const io = fakeIo(true);
  const ports = fakePorts({
    client: fakeClient([[held('steps/a')]]),
    plan: {
      digest: `sha256:${'ab'.repeat(32)}`,
      plan: {
        ...planned({}),
        release: { name: 'skiff', version: '1.2.0' },
        profile: { name: 'local', rehearsal: true },
      },
    },
  });
  expect(await run.run(input({ profile: 'local', onHold: 'exit' }), io, ports)).toBe(4);
  expect(io.printed.join('\n')).toContain(RETRY);
  expect(io.chatter.at(-1)).toBe(
    [
      `Detached: ${ID} waits for an action.`,
      `  slipway watch ${ID}    comes back to it`,
      `  slipway cancel --run ${ID}   ends it`,
    ].join('\n'),
  );
});

test('given Ctrl-C while the store does not answer, then the command leaves the run at once', async () => {
  const interrupting = new AbortController();
  const client = {
    ...fakeClient([[inTheMiddle()]]),
    async *follow() {
      yield inTheMiddle();
      interrupting.abort();
    },
  };
  const silent = (): Promise<never> => new Promise(() => undefined);
  const ports = { ...fakePorts({ client }), store: silent, interrupt: () => interrupting.signal };
  const io = fakeIo();
  expect(await watch.run({ args: {}, options: {} }, io, ports)).toBe(1);
  expect(io.chatter.at(-1)).toMatch(/^Detached: rehearsal\/skiff\/1\.2\.0 goes on\.$/m);
});
