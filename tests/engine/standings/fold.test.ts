import { fold, noStandings, withActions } from '../../../src/engine/standings/fold.js';
import type { StandingName, TestAction } from '../../../src/model/tests/standing.js';
import { aNight, after, aTest, CHAIN, type Nights, POLICY, testAfter, timeOf } from './a-night.js';

const jail = (until: string): TestAction => ({
  ...{ slipway: 1, test: 't', by: 'ada', at: timeOf(2), action: 'jail' },
  ...{ owner: 'serve', until, reason: 'known, issue 7' },
});
const said = (action: object): TestAction =>
  ({ slipway: 1, test: 't', by: 'ada', at: timeOf(2), ...action }) as TestAction;
const NO_OWNER: Nights = { owner: null };
const FALLS = 'PFPFPFP';
const ISSUE = ['P0', 'bug', 'release-test', 'ray-test-bot', 'stability', 'triage'];
const OPENED: Nights = { actions: { 3: [said({ action: 'issue', issue: { number: 7, open: true } })] } };

test.each<[letters: string, state: StandingName, nights?: Nights]>([
  ['P', 'passing'],
  ['F', 'failing'],
  ['PF', 'failing'],
  ['FF', 'consistently failing'],
  ['PFF', 'consistently failing'],
  ['FIF', 'consistently failing'],
  ['FSSF', 'consistently failing'],
  ['FFF', 'jailed'],
  ['FFF', 'consistently failing', NO_OWNER],
  ['FFFFFF', 'consistently failing', NO_OWNER],
  ['FFIIF', 'jailed'],
  ['PFP', 'passing'],
  ['FFP', 'passing'],
  ['FFFP', 'passing'],
  ['FFFp', 'passing'],
  ['PI', 'passing'],
  ['FI', 'failing'],
  ['FFI', 'consistently failing'],
  ['PI', 'failing', { policy: { infraCounts: true } }],
  ['III', 'jailed', { policy: { infraCounts: true } }],
  [FALLS, 'passing'],
  [`${FALLS}P`, 'flaky'],
  ['PpPpPpP', 'flaky'],
  [`${FALLS}PF`, 'flaky'],
  [`${FALLS}PFF`, 'flaky'],
  [`${FALLS}PFFF`, 'consistently failing'],
  [`${FALLS}PFFFP`, 'passing'],
  [`${FALLS}${'P'.repeat(8)}`, 'flaky'],
  [`${FALLS}${'P'.repeat(9)}`, 'passing'],
  [`${FALLS}${'P'.repeat(5)}S${'P'.repeat(4)}`, 'passing'],
  [`${FALLS}${'P'.repeat(8)}pP`, 'flaky'],
])('given the nights %s, then the test is %s (%j)', (letters, state, nights = {}) => {
  expect(testAfter(letters, nights).state).toBe(state);
});

describe('a jail', () => {
  test('given three failures and an owner, then it ends 14 days later', () => {
    const { jail: made, since } = testAfter('FFF');
    expect(made).toEqual({ owner: 'core', until: timeOf(17), reason: expect.any(String), by: null });
    expect(since).toBe(3);
  });

  test('when its time is over, then the test blocks again, and only a user can jail it again', () => {
    const nights = `FFF${'F'.repeat(13)}`;
    expect(testAfter(nights).state).toBe('jailed');
    expect(testAfter(`${nights}F`)).toMatchObject({ state: 'consistently failing', jail: null });
    expect(testAfter(`${nights}FFFF`).state).toBe('consistently failing');
    expect(testAfter(`${nights}FFF`, { actions: { 19: [jail(timeOf(30))] } }).state).toBe('jailed');
  });

  test('when its time is over in a night without a result, then it ends all the same', () => {
    expect(testAfter(`FFF${'I'.repeat(14)}`).state).toBe('consistently failing');
  });

  test('given a test that passed in between, when it fails again, then it can be jailed again', () => {
    expect(testAfter(`FFF${'F'.repeat(14)}PFFF`).state).toBe('jailed');
  });

  test('given a jail set by a user, then it has the named owner, and the next pass ends it', () => {
    const actions = { 2: [jail(timeOf(9))] };
    expect(testAfter('FF', { actions })).toMatchObject({ state: 'jailed', jail: { owner: 'serve', by: 'ada' } });
    expect(testAfter('FFP', { actions })).toMatchObject({ state: 'passing', jail: null });
  });

  test.each<[letters: string, state: StandingName]>([
    ['FFFI', 'consistently failing'],
    ['FFFF', 'consistently failing'],
    ['FFFP', 'passing'],
  ])('given %s, when a user ended the jail before the last night, then the test is %s', (letters, state) => {
    const actions = { 4: [said({ action: 'unjail', reason: 'fixed' })] };
    expect(testAfter(letters, { actions }).state).toBe(state);
  });

  test('when its issue is closed, then it ends', () => {
    const actions = { 4: [said({ action: 'issue', issue: { number: 7, open: false } })] };
    const { moves, tests } = after('FFFF', { actions });
    expect(tests['t']).toMatchObject({ state: 'consistently failing', issue: { number: 7, open: false } });
    expect(moves[0]!.because).toBe('issue 7 was closed');
  });
});

describe('given a bisect that found a commit', () => {
  const blame = said({ action: 'blame', commits: 'abc' });

  test.each<[letters: string, state: StandingName, blamed: string | null]>([
    ['PFF', 'consistently failing', 'abc'],
    ['PFI', 'consistently failing', 'abc'],
    ['PFS', 'consistently failing', 'abc'],
    ['PFP', 'passing', null],
    ['PPF', 'failing', null],
  ])(
    'given the nights %s, when it is found before the last one, then the test is %s, with the blame %j',
    (letters, state, blamed) => {
      expect(testAfter(letters, { actions: { 3: [blame] } })).toMatchObject({ state, blamed });
    },
  );

  test('when the test has an issue, then the issue gets one comment, and the state stays', () => {
    const { moves } = after('FFI', { actions: { 3: [blame] } });
    expect(moves).toMatchObject([
      { from: 'consistently failing', to: 'consistently failing', because: 'a bisect found abc' },
    ]);
    expect(moves[0]!.consequences).toMatchObject([{ do: 'comment', text: 'A bisect found abc.', addLabels: [] }]);
  });

  test('when the test has no issue yet, then only the new issue tells it', () => {
    const { moves } = after('PFI', { actions: { 3: [blame] } });
    expect(moves.flatMap(({ consequences }) => consequences)).toMatchObject([{ do: 'openIssue' }]);
  });
});

describe('the consequences of a new state', () => {
  const last = (letters: string, nights?: Nights) => after(letters, nights).moves.at(-1)!;
  const commit = (day: number): string => `${day}`.padEnd(40, 'c');

  test.each<[letters: string, consequences: object[], nights?: Nights]>([
    ['PIF', [{ do: 'bisect', good: commit(1), bad: commit(3) }]],
    ['F', []],
    ['PFF', [{ do: 'openIssue', labels: [...ISSUE, 'core'], blocker: true }]],
    ['PFF', [{ do: 'openIssue', labels: ISSUE, blocker: true }], NO_OWNER],
    ['FFF', [expect.objectContaining({ do: 'comment', issue: null, addLabels: ['jailed-test'], removeLabels: [] })]],
    [`FFF${'F'.repeat(14)}`, [expect.objectContaining({ do: 'comment', removeLabels: ['jailed-test'] })]],
    ['FP', []],
    ['FFP', [{ do: 'closeIssue', issue: 7, text: `Passed in night-3 (run run-3) at ${commit(3)}.` }], OPENED],
    [`${FALLS}P`, [expect.objectContaining({ do: 'openIssue', blocker: true })]],
  ])('given %s, then it is %j', (letters, consequences, nights = {}) => {
    expect(last(letters, nights).consequences).toEqual(consequences);
  });
});
describe('a record', () => {
  test('given a test that was not chosen, then it keeps its position and its state', () => {
    const one = fold(after('PF'), aNight(3, { other: aTest('P') }), [], POLICY);
    expect(one.tests['t']).toMatchObject({ letters: 'PFS', state: 'failing', since: 2 });
    expect(one.tests['other']).toMatchObject({ letters: 'P', since: 3 });
  });

  test('given a test that is no longer chosen, then it is forgotten after 400 nights', () => {
    const nights = (count: number) => after('S'.repeat(count), { from: after('P') }).tests['t']?.letters.length;
    expect([nights(399), nights(400)]).toEqual([400, undefined]);
  });

  test('given a test that runs once a week, then its last 30 results and their nights are stored', () => {
    const weekly = after(`P${'SSSSSSP'.repeat(35)}`);
    expect(weekly.tests['t']!.letters.replaceAll('S', '')).toHaveLength(30);
    expect(weekly.nights).toHaveLength(29 * 7 + 1);
    expect(weekly.nights.at(-1)!.no).toBe(1 + 35 * 7);
  });

  test('given an action for an unknown test, then it is ignored', () => {
    const folded = fold(after('P'), aNight(2, {}), [{ no: 1, action: { ...jail(timeOf(9)), test: 'none' } }], POLICY);
    expect(folded).toMatchObject({ actions: 1, moves: [] });
    expect(Object.keys(folded.tests)).toEqual(['t']);
  });

  test('given actions since the last night, then they count in the current view, and the next fold applies them once', () => {
    const before = after('PFF');
    const actions = [{ no: 1, action: jail(timeOf(9)) }];
    expect(withActions(before, actions).tests['t']!.state).toBe('jailed');
    const next = fold(before, aNight(4, { t: aTest('F') }), actions, POLICY);
    expect(next.tests['t']!.state).toBe('jailed');
    expect(withActions(next, actions)).toEqual({ ...next, moves: [] });
  });

  test('given tests named like members of Object, then they are handled like any other test', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty'];
    const night = aNight(1, Object.fromEntries(names.map((name) => [name, aTest('F')])));
    const folded = fold(noStandings(CHAIN), night, [], POLICY);
    expect(Object.values(folded.tests).map(({ state }) => state)).toEqual(['failing', 'failing', 'failing']);
  });
});
