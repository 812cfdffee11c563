import { createKeepBlame, readChain } from '../../../src/activities/standings/chain.js';
import { createPlanBisect } from '../../../src/activities/plan/plan-bisect.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { bisectIdOf, probeOf } from '../../../src/model/bisect.js';
import { LABEL_FORM } from '../../../src/model/label.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { newHome } from '../../support/run-body.js';

const GOOD = 'a'.repeat(40);
const badOf = (no: number): string => String(no).padStart(8, '0').padEnd(40, 'b');
const NOON = Date.parse('2026-11-22T12:00:00Z');

/** Begins bisect `no` on a control worker. Returns the code of a refusal. */
async function begun(
  store: ReturnType<typeof createDirectoryStore>,
  no: number,
  nowMs = NOON,
  test = 'sail',
): Promise<string> {
  const span = async () => ({ pipeline: 'night', commits: [GOOD, badOf(no)] });
  const input = { file: '/x/slipway.yaml', profile: 'local', test, ways: 3, good: GOOD, bad: badOf(no) };
  const workflowId = bisectIdOf({ ...input, pipeline: 'night' });
  return createPlanBisect(
    { span },
    store,
    () => nowMs,
  )({ ...input, workflowId, run: `run-${no}` }).then(
    () => 'begun',
    (error: SlipwayFailure) => error.first.code,
  );
}

describe('the limit of bisects', () => {
  test('given ten that began today, when another begins, then it is refused until tomorrow', async () => {
    const store = createDirectoryStore(await newHome());
    for (let no = 1; no <= 10; no += 1) expect(await begun(store, no)).toBe('begun');
    expect(await begun(store, 11)).toBe('BISECT_LIMIT');
    expect(await begun(store, 11, NOON + 12 * 3_600_000)).toBe('begun');
  });

  test('given a bisect whose worker died while it planned, when another worker plans it, then it counts once', async () => {
    const store = createDirectoryStore(await newHome());
    await begun(store, 1);
    await begun(store, 1);
    expect(await store.list('bisects/')).toEqual(['bisects/2026-11-22/000001']);
  });

  test('given twelve that begin at once, then ten begin', async () => {
    const store = createDirectoryStore(await newHome());
    const all = await Promise.all(Array.from({ length: 12 }, (_, no) => begun(store, no + 1)));
    expect(all.filter((one) => one === 'begun')).toHaveLength(10);
  });
});

test('given the name of one variant, as a standing starts a bisect of it, then the bisect begins', async () => {
  const store = createDirectoryStore(await newHome());
  expect(await begun(store, 1, NOON, 'spread@linux-x86_64@cp311')).toBe('begun');
});

test.each([
  ['is started again within a month', 'sail', 'sail', '0193a1b2-c3d4-7e5f-8a6b-000000000002'],
  [
    'is of another test with the same end',
    `a-${'x'.repeat(50)}`,
    `b-${'x'.repeat(50)}`,
    '0193a1b2-c3d4-7e5f-8a6b-000000000001',
  ],
])(
  'given a bisect of one commit, when another %s, then their tries have different labels',
  async (_, one, two, run) => {
    const store = createDirectoryStore(await newHome());
    const labelOf = async (test: string, of: string): Promise<string> => {
      const input = { file: '/x/slipway.yaml', profile: 'local', test, ways: 3, good: GOOD, bad: badOf(1) };
      const workflowId = bisectIdOf({ ...input, pipeline: 'night' });
      const span = async () => ({ pipeline: 'night', commits: [GOOD, badOf(1)] });
      const { mark } = await createPlanBisect({ span }, store, () => NOON)({ ...input, workflowId, run: of });
      return probeOf(input, mark!, badOf(1), 1).label;
    };
    const [before, after] = [await labelOf(one, '0193a1b2-c3d4-7e5f-8a6b-000000000001'), await labelOf(two, run)];
    expect(after).not.toBe(before);
    expect(before).toMatch(LABEL_FORM);
  },
);

test('given the answer of a bisect, when it is stored twice, then the standings get one blame', async () => {
  const store = createDirectoryStore(await newHome());
  const chain = { pipeline: 'night', profile: 'local', branch: 'main' };
  const keep = createKeepBlame(store, () => NOON);
  for (let times = 0; times < 2; times += 1)
    await keep({ run: 'r', workflowId: 'bisect/night/sail/0', chain, test: 'sail', commits: GOOD });
  const { actions } = await readChain(store, chain);
  expect(actions).toMatchObject([
    {
      action: {
        action: 'blame',
        test: 'sail',
        commits: GOOD,
        by: 'bisect/night/sail/0',
        at: '2026-11-22T12:00:00.000Z',
      },
    },
  ]);
});
