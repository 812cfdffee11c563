import { createKeepStatus } from '../../../src/activities/report/keep-status.js';
import { createTellIndexes } from '../../../src/activities/report/tell-indexes.js';
import type { IndexWriter } from '../../../src/activities/index/ports.js';
import { once } from '../../../src/adapters/facts/index.js';
import { fail } from '../../../src/model/failure.js';
import { canonical } from '../../../src/model/json.js';
import type { RunStatus } from '../../../src/model/messages.js';
import type { Plan } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import { Profile } from '../../../src/model/schema/profile.js';
import { HEAD, planOf } from '../../plan/a-plan.js';
import { newHome, realSurroundings, sha256 } from '../../support/run-body.js';

const content = Profile.parse({ rehearsal: true, kinds: { simple: { address: 'service:wheels' } } });
const bare = planOf(
  `${HEAD}wheels: { skiff: {} }\npublish: { cache: { kind: simple, files: ['wheels/*'], when: built } }\n`,
  { profile: { name: 'local', content } },
);
const rows = canonical({ slipway: 1, rows: {} });
const plan: Plan = { ...bare, imports: { facts: sha256('facts'), rows: sha256(rows), of: [] } };
const status = {
  ...{ run: 'r1', plan: sha256('plan'), startedAt: 0, steps: [] },
  verdict: { verdict: 'failed', reasons: [] },
} as unknown as RunStatus;

const restless = { code: 'INDEX_RESTLESS', class: 'infra', message: 'it changed', next: 'Find who writes.' } as const;

/** Ends a run whose index has this writer. Returns what the store has of it afterwards. */
async function ended(list: IndexWriter['list'], address = (text: string): string => text) {
  const { store, layout } = realSurroundings(await newHome());
  await store.put(once(rows));
  const tell = createTellIndexes({ writer: { list }, address, longestWaitMs: 1 });
  await createKeepStatus(store, layout, async () => plan, [tell])(status);
  expect(await store.read(records.status('r1'))).toEqual(status);
  return store.read(records.findingsAfter('r1'));
}

test.each<[string, IndexWriter['list'], object]>([
  [
    'refuses with a code',
    () => Promise.reject(fail(restless)),
    { code: 'INDEX_STATUS_UNDRAWN', why: expect.stringMatching(/: INDEX_RESTLESS: it changed$/), next: restless.next },
  ],
  [
    'fails without a code',
    () => Promise.reject(new Error('Workflow Update failed', { cause: new Error('it is no request') })),
    { code: 'INDEX_STATUS_UNDRAWN', why: expect.stringMatching(/: it is no request$/) },
  ],
  ['does not answer', () => new Promise(() => undefined), { code: 'INDEX_STATUS_LATE' }],
])('given a writer that %s, when a run ends, then the store has a finding about it', async (_, list, finding) => {
  expect(await ended(list)).toEqual([expect.objectContaining({ level: 'warning', subject: 'cache', ...finding })]);
});

test('given an index without an address, when a run ends, then the store has a finding about it', async () => {
  const found = await ended(
    () => Promise.resolve({ findings: [] }),
    () => {
      throw fail(restless);
    },
  );
  expect(found).toEqual([expect.objectContaining({ code: 'INDEX_STATUS_UNDRAWN' })]);
});

test('given an index that draws its status, when a run ends, then there is no finding', async () => {
  expect(await ended(() => Promise.resolve({ findings: [] }))).toBeNull();
});
