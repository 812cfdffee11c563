import { tests } from '../../src/cli/commands/tests.js';
import { fold, noStandings } from '../../src/engine/standings/fold.js';
import { newsOf } from '../../src/engine/standings/news.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { crashPattern } from '../../src/model/tests/crash-pattern.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import type { Letter, Standings, TestAction } from '../../src/model/tests/standing.js';
import { testActionFault } from '../../src/model/tests/standings-fault.js';
import { standingsLines } from '../../src/cli/screens/standings.js';
import { colours } from '../../src/cli/render/paint.js';
import { aNight, aTest, CHAIN, POLICY, timeOf } from '../engine/standings/a-night.js';
import { aFailure, anOutcome } from '../model/tests/an-outcome.js';
import { expectGolden } from '../support/golden.js';
import { fakeIo, fakePorts } from './fake-ports.js';

/** Letters of six nights by test. */
const LETTERS = {
  'shuffle@cp311': 'PPPPPP',
  'spread@cp311': 'PPPPPF',
  'spread@cp312': 'PPPPFF',
  many_nodes: 'PPPFFF',
  weekly: 'PSSSSS',
  cold: 'PPPIII',
  old: 'PFFFFF',
};
const NIGHTS = 6;
const OWNERS: Readonly<Record<string, string>> = { many_nodes: 'serve', old: 'data' };

const folded: Standings = Array.from({ length: NIGHTS }).reduce<Standings>((last, _, at) => {
  const rows = Object.entries(LETTERS).map(([name, letters]) => {
    const owner = OWNERS[name] ?? 'core';
    return [
      name,
      aTest(letters[at] as Letter, { title: name === 'many_nodes' ? 'many_nodes.aws' : name, owner }),
    ] as const;
  });
  const night = aNight(at + 1, Object.fromEntries(rows.filter(([, { letter }]) => letter !== 'S')));
  return fold(last, night, [], POLICY);
}, noStandings(CHAIN));

const TRACE = [
  'Traceback (most recent call last):',
  '  File "/tmp/x/many.py", line 3, in main',
  'RuntimeError: node 3',
];
const outcomes = (run: string): readonly Outcome[] => {
  const letter = LETTERS.many_nodes[Number(run.slice('run-'.length)) - 1];
  const common = { run, step: 'tests/many_nodes' };
  const lost = run === 'run-3' ? [{ node: '10.0.0.4', atMs: 41_000 }] : [];
  if (letter === 'P') return [anOutcome({ ...common, nodes: { seen: 3, lost } })];
  const first = aFailure({ ...common, code: 'NODES_MISSING', class: 'infra', exit: null });
  return [first, aFailure({ ...common, attempt: 2, crashPattern: crashPattern(TRACE) })];
};

async function typed(args: Record<string, string>, options: Record<string, string | boolean> = {}, nowMs = NOW) {
  const io = fakeIo();
  const acted: TestAction[] = [];
  const act = (action: TestAction) => Promise.resolve(acted.push(action));
  const read = () => Promise.resolve({ ...folded, profile: String(options['profile'] ?? 'local') });
  const port = { chain: CHAIN, nowMs, read, outcomes: (run: string) => Promise.resolve(outcomes(run)), act };
  const ports = { ...fakePorts({ tests: port }), env: { USER: 'ada' } };
  const code = await tests.run({ args, options }, io, ports);
  return { code, text: `${io.printed.join('\n')}\n`, acted };
}
const NOW = Date.parse(timeOf(6)) + 3_600_000;
const codesOf = (args: Record<string, string>, options: Record<string, string | boolean> = {}) =>
  typed(args, options).then(
    () => [],
    (error: SlipwayFailure) => error.problems.map(({ code }) => code),
  );

describe('slipway tests', () => {
  test('given standings, then blocking tests come first, and it exits with 1', async () => {
    const { code, text } = await typed({});
    expect(code).toBe(1);
    expectGolden('cli/tests.txt', text);
  });

  test('given filters, then only matching tests count, for the exit status too', async () => {
    const shown = async (options: Record<string, string | boolean>) => {
      const { code, text } = await typed({}, { ...options, json: true });
      return [code, (JSON.parse(text) as { test: string }[]).map(({ test }) => test)];
    };
    expect(await shown({ blockers: true })).toEqual([1, ['spread@cp312']]);
    expect(await shown({ team: 'serve' })).toEqual([0, ['many_nodes']]);
    expect(await shown({ standing: 'jailed' })).toEqual([0, ['many_nodes', 'old']]);
    expect(await shown({ standing: 'failing' })).toEqual([0, ['spread@cp311']]);
  });

  test('given a jail whose time is over, then the test blocks before the next night', async () => {
    const { text } = await typed({}, { blockers: true, json: true }, Date.parse(timeOf(19)));
    expect(text).toContain('"old"');
  });

  test('given a second word without a name, then it is read as a file', async () => {
    expect((await typed({ what: 'show' })).text).toContain('branch master');
  });
});

test.each([
  ['', 'local', ''],
  ['release/', 'night', ' release/ --profile night'],
  ["ann's boat", 'local', " 'ann'\\''s boat'"],
])(
  'slipway tests show: given the file "%s" and the profile %s, then the next command has them',
  async (file, profile, where) => {
    const { text } = await typed({ what: 'show', name: 'many_nodes', ...(file !== '' && { file }) }, { profile });
    expect(text).toContain(`slipway tests unjail many_nodes${where} --reason WHY`);
  },
);

test('slipway tests show: given a test, then nights, attempts, crashes and the next command are printed', async () => {
  const { code, text } = await typed({ what: 'show', name: 'many_nodes' });
  expect(code).toBe(0);
  expectGolden('cli/tests-show.txt', text);
  expect((await typed({ what: 'show', name: 'many_nodes.aws' })).text).toBe(text);
});

describe('slipway tests jail', () => {
  const JAIL = { what: 'jail', name: 'spread@cp312' };

  test('given an owner, an end and a reason, then they are stored', async () => {
    const { acted, text } = await typed(JAIL, { owner: 'core', for: '14d', reason: 'known' });
    const until = new Date(NOW + 14 * 86_400_000).toISOString();
    expect(acted).toEqual([
      {
        ...{ slipway: 1, test: 'spread@cp312', by: 'ada', at: new Date(NOW).toISOString() },
        ...{ action: 'jail', owner: 'core', until, reason: 'known' },
      },
    ]);
    expect(text).toContain(`spread@cp312 is in jail until ${until}`);
    const byDay = await typed(JAIL, { owner: 'core', until: '2026-12-06', reason: 'x'.repeat(5000) });
    expect(byDay.acted[0]).toMatchObject({ until: '2026-12-06T00:00:00.000Z' });
    expect(testActionFault(byDay.acted[0])).toBeNull();
  });

  test.each<[what: string, options: Record<string, string>, codes: string[]]>([
    ['nothing', {}, ['OWNER_MISSING', 'NOT_A_DATE', 'REASON_MISSING']],
    ['no owner', { for: '14d', reason: 'x' }, ['OWNER_MISSING']],
    ['an empty owner', { owner: ' ', for: '14d', reason: 'x' }, ['OWNER_MISSING']],
    ['until yesterday', { owner: 'a', until: '2026-11-06', reason: 'x' }, ['JAIL_OVER']],
    ['no date', { owner: 'a', until: 'friday', reason: 'x' }, ['NOT_A_DATE']],
    ['an invalid day', { owner: 'a', until: '2026-13-40', reason: 'x' }, ['NOT_A_DATE']],
    ['no duration', { owner: 'a', for: '14', reason: 'x' }, ['NOT_A_DATE']],
    ['a duration of zero', { owner: 'a', for: '0s', reason: 'x' }, ['JAIL_OVER']],
    ['both', { owner: 'a', for: '14d', until: '2027-01-01', reason: 'x' }, ['NOT_A_DATE']],
    ['no reason', { owner: 'a', for: '14d' }, ['REASON_MISSING']],
  ])('given %s, then it is refused', async (_what, options, codes) => {
    expect(await codesOf(JAIL, options)).toEqual(codes);
  });
});

test('slipway tests unjail: given a jailed test and a reason, then it ends the jail; otherwise it is refused', async () => {
  const { acted } = await typed({ what: 'unjail', name: 'old' }, { reason: 'fixed', by: 'eve' });
  expect(acted).toEqual([expect.objectContaining({ action: 'unjail', test: 'old', by: 'eve', reason: 'fixed' })]);
  expect(await codesOf({ what: 'unjail', name: 'weekly' })).toEqual(['NOT_IN_JAIL', 'REASON_MISSING']);
});

test.each([
  ['spread', 'MANY_TESTS'],
  ['many', 'UNKNOWN_TEST'],
  ['constructor', 'UNKNOWN_TEST'],
])('given the partial or unknown name %s, then it is refused', async (name, code) => {
  expect(await codesOf({ what: 'show', name })).toEqual([code]);
});

test('given an invalid standing, then it is refused', async () => {
  expect(await codesOf({}, { standing: 'broken' })).toEqual(['NOT_A_STANDING']);
});

test('given news, then the last screen of a run shows them before known failures', () => {
  expectGolden('cli/standings-news.txt', `${standingsLines(newsOf(folded, 'run-6'), colours(false)).join('\n')}\n`);
  expect(standingsLines(newsOf(folded, 'run-5'), colours(false))).toEqual([]);
});
