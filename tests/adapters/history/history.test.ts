/** @needs services postgres */
import { openStore } from '../../../src/adapters/store/open.js';
import { openHistory, type History } from '../../../src/adapters/history/index.js';
import type { Outcome } from '../../../src/model/tests/outcome.js';
import type { Store } from '../../../src/activities/ports.js';
import { records } from '../../../src/model/run-folder.js';
import { ownPostgres } from '../../services/own-postgres.js';
import { newHome } from '../../support/run-body.js';

const postgres = ownPostgres();
let store: Store;
const openDatabases = (from: Store): Promise<History> => {
  const { services } = postgres;
  return openHistory(services.database(), from, services.database('slipway_reader'));
};
let open: History;

beforeEach(async () => {
  store = await openStore({}, await newHome());
  open = await openDatabases(store);
  await open.rebuild();
});
afterEach(() => open.close());

const again = async (): Promise<void> => {
  await open.close();
  open = await openDatabases(store);
};
const outcome = (test: string, run: string, more: Partial<Outcome> = {}): Outcome => ({
  slipway: 1,
  ...{
    pipeline: 'nightly',
    label: run,
    profile: 'local',
    run,
    step: `tests/${test}`,
    title: test,
    repeat: 1,
    attempt: 1,
  },
  ...{ at: '2026-11-22T01:00:00.000Z', ms: 1234.5, branch: 'master', commit: 'c'.repeat(40), tested: [] },
  ...{ code: null, class: null, message: '', phase: 'run', exit: 0, returnCode: 0, results: { a: 1 }, metrics: null },
  ...{ lastLogs: [], crashPattern: '', nodes: { seen: 3, lost: [{ node: 'n', atMs: 5 }] }, job: null, buildkite: null },
  ...{ smoke: false, stable: true, owner: 'core', tags: { frequency: 'nightly' } },
  ...more,
});
const keep = async (one: Outcome): Promise<void> => {
  const name = records.outcome(one.pipeline, one.run, one.title, one.repeat, one.attempt);
  await store.create(name, one);
};

test('given new outcomes in the store, when a query runs, then it includes them', async () => {
  await keep(outcome('many', 'r1'));
  await again();
  expect((await open.ask('select count(*)::int from outcome')).rows).toEqual([[1]]);
  await keep(outcome('few', 'r1', { code: 'TEST_FAILED', class: 'product', exit: 7, returnCode: 40 }));
  await again();
  expect(await open.ask('select test, code, exit, ms, nodes_lost, tags from outcome order by test')).toEqual({
    columns: ['test', 'code', 'exit', 'ms', 'nodes_lost', 'tags'],
    rows: [
      ['few', 'TEST_FAILED', 7, '1235', 1, { frequency: 'nightly' }],
      ['many', null, 0, '1235', 1, { frequency: 'nightly' }],
    ],
  });
});

test('given an empty database, when it is rebuilt, then its answers equal those of rows that were added night by night', async () => {
  const all = 'select * from outcome order by name';
  for (const run of ['r1', 'r2', 'r3']) {
    await keep(outcome('many', run, { results: null, owner: null }));
    await keep(outcome('few', run, { message: 'it says {"a\\b"}, and more', tags: { 'a "b"': "it's" } }));
    await again();
  }
  const added = await open.ask(all);
  expect(added.rows).toHaveLength(6);
  const first = await open.rebuild();
  expect(first).toMatchObject({ rows: 6, unread: 0 });
  expect(await open.ask(all)).toEqual(added);
  expect(await open.rebuild()).toEqual(first);
  const few = `select message, tags, results, owner, extract(epoch from at)::int as at from outcome where run = 'r1' order by test`;
  expect((await open.ask(few)).rows).toEqual([
    ['it says {"a\\b"}, and more', { 'a "b"': "it's" }, { a: 1 }, 'core', 1795309200],
    ['', { frequency: 'nightly' }, null, null, 1795309200],
  ]);
});

test('given a database that is opened and rebuilt, then each outcome of the store is read once', async () => {
  for (let no = 0; no < 5; no++) await keep(outcome(`t${no}`, 'r1'));
  const read: string[] = [];
  const counting: Store = { ...store, read: (name) => (read.push(name), store.read(name)) };
  const other = await openDatabases(counting);
  expect(await other.rebuild()).toMatchObject({ rows: 5 });
  expect(read).toHaveLength(5);
  await other.close();
});

test('given two commands at once, then each row is there once', async () => {
  for (let no = 0; no < 50; no++) await keep(outcome(`t${no}`, 'r1'));
  const others = await Promise.all([1, 2, 3].map(() => openDatabases(store)));
  const count = 'select count(*)::int from outcome';
  for (const { rows } of await Promise.all(others.map((one) => one.ask(count)))) expect(rows).toEqual([[50]]);
  await Promise.all(others.map((one) => one.close()));
});

test('given invalid outcomes and texts that PostgreSQL refuses, then the other rows are there', async () => {
  await keep(outcome('odd', 'r1', { message: 'a\0b', crashPattern: '\ud800', results: { ['k\0']: 1, c: '\\u0000' } }));
  await keep(outcome('well', 'r1'));
  await store.create('outcomes/nightly/r1/bad/1-001', { not: 'an outcome' });
  expect(await open.rebuild()).toMatchObject({ rows: 2, unread: 1 });
  expect((await open.ask(`select test, message, results from outcome order by test`)).rows).toEqual([
    ['odd', 'a\ufffdb', { ['k\ufffd']: 1, c: '\\u0000' }],
    ['well', '', { a: 1 }],
  ]);
});

test.each([
  ['a second statement', 'select 1; drop table outcome', /multiple commands/],
  ['a change', 'delete from outcome', /read-only|permission denied/],
  [
    'a change after the transaction was made writable',
    'set transaction read write; delete from outcome',
    /multiple commands/,
  ],
  ['a program', "copy (select 1) to program 'touch /tmp/never'", /permission denied|must be superuser/],
  ['a file of the server', "select pg_read_file('PG_VERSION')", /permission denied/],
  ['nonsense', 'selekt', /syntax error/],
])('given %s as a query, then it is refused and changes nothing', async (_, sql, said) => {
  await keep(outcome('many', 'r1'));
  await again();
  await expect(open.ask(sql)).rejects.toMatchObject({
    first: { code: 'HISTORY_STATEMENT_REFUSED', message: expect.stringMatching(said) as string },
  });
  expect((await open.ask('select count(*)::int from outcome')).rows).toEqual([[1]]);
});

test('given no database, or one that does not answer, then the error says what to type and shows no password', async () => {
  await expect(openHistory(null, store)).rejects.toMatchObject({ first: { code: 'HISTORY_NO_DATABASE' } });
  await expect(openHistory('not an address', store)).rejects.toMatchObject({
    first: { code: 'HISTORY_ADDRESS_WRONG' },
  });
  const refused = openHistory('postgres://u:canary-9f2@127.0.0.1:1/none', store);
  await expect(refused).rejects.toMatchObject({ first: { code: 'HISTORY_REFUSED' } });
  await expect(refused).rejects.not.toThrow(/canary/);
});
