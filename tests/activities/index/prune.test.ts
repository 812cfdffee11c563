/** @slow */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawGroup } from '../../../src/activities/index/draw-group.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { dueFiles, markRemoved, removeDue } from '../../../src/activities/index/prune.js';
import { readIndex } from '../../../src/activities/index/read-index.js';
import { readOrder } from '../../../src/activities/index/read-order.js';
import { relist } from '../../../src/activities/index/write-entry.js';
import { createWritePages, type WritingPorts } from '../../../src/activities/index/write-pages.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { IndexPlace } from '../../../src/activities/index/ports.js';
import { projectOf } from '../../../src/engine/index/listed.js';
import { MOST_CANDIDATES, type PruneOrder } from '../../../src/model/index-prune.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { anEntry, digest } from '../../engine/index/an-entry.js';
import { aTarget, codesOf } from '../publish/release.js';
import { aFolder, listedIn, PLATFORM, put, snapshot } from './an-index.js';

const DAY_MS = 86_400_000;
const AT = '2026-11-23T03:00:00.000Z';
const AT_MS = Date.parse(AT);
const wheel = (project: string): string => `${project}-1-cp311-cp311-linux_x86_64.whl`;
const bytesOf = (root: string): readonly string[] =>
  Object.keys(snapshot(join(root, PLATFORM, 'files'))).filter((path) => path.endsWith('.whl'));

const orderFor = (root: string, files: readonly string[], more: Partial<PruneOrder> = {}): PruneOrder => ({
  ...{ slipway: 1, kind: 'prune order', at: AT, by: 'ann', because: 'tidy', review: digest('f') },
  release: { name: 'distro-wheels', version: '1' },
  profile: { name: 'local', rehearsal: true },
  target: aTarget({
    name: 'cache',
    kind: 'simple',
    address: root,
    extra: { kind: 'simple', reads: null, endpoint: null },
  }),
  graceMs: 7 * DAY_MS,
  platforms: [PLATFORM],
  remove: files.map((file) => ({ platform: PLATFORM, file, digest: anEntry(file).digest })),
  stay: [],
  ...more,
});

/** An index whose writer carries out one order, at a time. */
async function anIndex(projects: readonly string[]) {
  const { root, place } = aFolder();
  for (const project of projects) await put(place, wheel(project));
  await drawPages(place, PLATFORM, projects);
  const write = (order: PruneOrder, nowMs = AT_MS) => {
    const ports: WritingPorts = {
      planOf: () => Promise.reject(new Error('no plans')),
      connect: () => Promise.reject(new Error('no plans')),
      targets: createTargets(),
      orders: {
        read: async () => order,
        connect: async ({ target }) => ({
          ...{ ...target, extra: target.extra ?? null },
          ...{ staging: null, secrets: {}, version: '1' },
        }),
      },
      now: () => nowMs,
    };
    return createWritePages(ports)({ requests: [{ prune: 'prunes/a/b/c/000001' }] });
  };
  return { root, place, write };
}

describe('given an index of two wheels, and an order to remove one', () => {
  test('when the writer obeys, then its page is empty at once, and its bytes leave after the grace', async () => {
    const { root, write } = await anIndex(['boat', 'skiff']);
    expect(await write(orderFor(root, [wheel('boat')]))).toEqual({ outcomes: [{ findings: [] }] });
    expect([listedIn(root, 'boat'), listedIn(root, 'skiff')]).toEqual([[], [wheel('skiff')]]);
    expect(bytesOf(root)).toHaveLength(2);
    await write(orderFor(root, []), AT_MS + 7 * DAY_MS - 1000);
    expect(bytesOf(root)).toHaveLength(2);
    await write(orderFor(root, []), AT_MS + 7 * DAY_MS);
    expect(bytesOf(root)).toEqual([`skiff/${wheel('skiff')}`]);
    expect(Object.keys(snapshot(join(root, PLATFORM, 'due')))).toEqual([]);
  });

  test('when it is carried out twice, then nothing changes', async () => {
    const { root, write } = await anIndex(['boat', 'skiff']);
    await write(orderFor(root, [wheel('boat')]));
    const before = snapshot(root);
    await write(orderFor(root, [wheel('boat')]));
    expect(snapshot(root)).toEqual(before);
  });

  test('when the entry describes other bytes than the review, then the wheel stays, and the finding says so', async () => {
    const { root, write } = await anIndex(['boat']);
    const remove = [{ platform: PLATFORM, file: wheel('boat'), digest: digest('e') }];
    expect(await write(orderFor(root, [], { remove }))).toMatchObject({
      outcomes: [{ findings: [{ code: 'INDEX_PRUNE_OTHER_BYTES' }] }],
    });
    expect(listedIn(root, 'boat')).toEqual([wheel('boat')]);
  });

  test('when another wheel is listed after the grace, then the bytes leave without a second prune', async () => {
    const { root, place, write } = await anIndex(['boat', 'skiff']);
    await write(orderFor(root, [wheel('boat')]));
    await put(place, wheel('raft'));
    const asked = { names: [`${PLATFORM}/raft`], findings: [], platforms: [], refreshed: [] };
    await drawGroup({ place, asked: new Map([[0, asked]]) }, AT_MS + 8 * DAY_MS);
    expect([listedIn(root, 'raft').length, bytesOf(root)]).toEqual([
      1,
      [`raft/${wheel('raft')}`, `skiff/${wheel('skiff')}`],
    ]);
  });
});

describe('given a wheel that a person yanked, and an order to remove it', () => {
  const record = indexPaths.goneFile(PLATFORM, 'boat', wheel('boat'));
  const yanked = { slipway: 1, file: wheel('boat'), state: 'yanked', by: 'bob', because: 'it crashes', review: null };
  const goneAt = (root: string): unknown => JSON.parse(readFileSync(join(root, record), 'utf8'));

  test('when the writer obeys, then no page has it, its bytes leave, and the reason of the yank stays', async () => {
    const { root, place, write } = await anIndex(['boat']);
    await place.create(record, JSON.stringify(yanked));
    expect(await write(orderFor(root, [wheel('boat')]))).toEqual({ outcomes: [{ findings: [] }] });
    expect(listedIn(root, 'boat')).toEqual([]);
    expect(goneAt(root)).toMatchObject({ state: 'removed', yanked: { by: 'bob', because: 'it crashes' } });
    await write(orderFor(root, []), AT_MS + 7 * DAY_MS);
    expect(bytesOf(root)).toEqual([]);
  });

  test('when it is published again, then it is yanked again', async () => {
    const { root, place, write } = await anIndex(['boat']);
    await place.create(record, JSON.stringify(yanked));
    await write(orderFor(root, [wheel('boat')]));
    await relist(place, { platform: PLATFORM, project: 'boat', file: wheel('boat') });
    expect(goneAt(root)).toEqual(yanked);
  });

  test('when its record is damaged, then it stays, and the finding says so', async () => {
    const { root, place, write } = await anIndex(['boat']);
    await place.create(record, '{');
    const { outcomes } = await write(orderFor(root, [wheel('boat')]));
    expect(outcomes).toMatchObject([
      { findings: expect.arrayContaining([expect.objectContaining({ code: 'INDEX_GONE_DAMAGED' })]) },
    ]);
  });
});

/** A place that ends, as a killed process does, before one of its writes. */
function endingBefore(place: IndexPlace, no: number): IndexPlace {
  let left = no;
  const ended = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...place,
    create: async (...all) => (ended(), place.create(...all)),
    swap: async (...all) => (ended(), place.swap(...all)),
    remove: async (...all) => (ended(), place.remove(...all)),
  };
}

/** Marks, draws and removes, as the writer does. */
async function carryOut(place: IndexPlace, order: PruneOrder, nowMs: number): Promise<void> {
  await markRemoved(place, order);
  const due = await dueFiles(place, PLATFORM, nowMs);
  await drawPages(place, PLATFORM, [...new Set([...order.remove, ...due].map(({ file }) => projectOf(file)))]);
  await removeDue(place, PLATFORM, due);
}

test.each(Array.from({ length: 10 }, (_, no) => no))(
  'given a writer that is killed before its write %i, when it is done again, then no page ever named an absent file',
  async (no) => {
    const { root, place } = await anIndex(['boat', 'skiff']);
    const order = orderFor(root, [wheel('boat')], { graceMs: 0 });
    await carryOut(endingBefore(place, no), order, AT_MS).catch(() => undefined);
    expect([listedIn(root, 'boat').length <= 1, listedIn(root, 'skiff')]).toEqual([true, [wheel('skiff')]]);
    await carryOut(place, order, AT_MS);
    expect([listedIn(root, 'boat'), bytesOf(root)]).toEqual([[], [`skiff/${wheel('skiff')}`]]);
    expect(readdirSync(join(root, PLATFORM, 'gone', 'boat'))).toEqual([`${wheel('boat')}.json`]);
  },
);

describe('given a removed wheel', () => {
  const at = { platform: PLATFORM, project: 'boat', file: wheel('boat') };

  test('when the same bytes are published again within the grace, then it is listed, and its bytes stay', async () => {
    const { root, place, write } = await anIndex(['boat']);
    await write(orderFor(root, [wheel('boat')]));
    expect(await relist(place, at)).toEqual([]);
    await drawPages(place, PLATFORM, ['boat']);
    await write(orderFor(root, []), AT_MS + 8 * DAY_MS);
    expect([listedIn(root, 'boat'), bytesOf(root).length]).toEqual([[wheel('boat')], 1]);
  });

  test('when it is removed again, then the grace counts from the second removal', async () => {
    const { root, place, write } = await anIndex(['boat']);
    await write(orderFor(root, [wheel('boat')]));
    await relist(place, at);
    await write(orderFor(root, [wheel('boat')], { at: '2026-11-29T03:00:00.000Z' }), AT_MS + 6 * DAY_MS);
    await write(orderFor(root, []), AT_MS + 8 * DAY_MS);
    expect(bytesOf(root)).toHaveLength(1);
    await write(orderFor(root, []), AT_MS + 13 * DAY_MS);
    expect(bytesOf(root)).toEqual([]);
  });

  test('when a person removed it, then publishing it again does not list it', async () => {
    const { place } = await anIndex(['boat']);
    const gone = { slipway: 1, file: wheel('boat'), state: 'removed', by: 'ann', because: 'broken', review: null };
    await place.create(indexPaths.goneFile(PLATFORM, 'boat', wheel('boat')), JSON.stringify(gone));
    expect(await relist(place, at)).toMatchObject([{ code: 'INDEX_WHEEL_REMOVED' }]);
    expect((await readIndex(place, PLATFORM)).wheels).toEqual([]);
  });
});

describe('given an order in the store', () => {
  const read = (order: unknown, nowMs = AT_MS): Promise<unknown> =>
    readOrder({ read: async () => order as never }, 'prunes/a/b/c/000001', nowMs).then(() => 'obeyed', codesOf);
  const order = orderFor('/srv/wheels', [wheel('boat')]);
  const naming = (change: object) => ({ ...order, remove: [{ ...order.remove[0]!, ...change }] });

  test.each([
    ['it is sound', order, 'obeyed'],
    ['there is none', null, ['PRUNE_ORDER_UNKNOWN']],
    ['it is a plan', { slipway: 1, steps: [] }, ['PRUNE_ORDER_UNKNOWN']],
    ['a file climbs', naming({ file: `../../${wheel('boat')}` }), ['PRUNE_ORDER_UNKNOWN']],
    ['a platform climbs', naming({ platform: '..' }), ['PRUNE_ORDER_UNKNOWN']],
    ['a digest is none', naming({ digest: 'x' }), ['PRUNE_ORDER_UNKNOWN']],
    ['it is about another kind of target', { ...order, target: aTarget({}) }, ['PRUNE_ORDER_UNKNOWN']],
    [
      'it names too many',
      { ...order, remove: Array(MOST_CANDIDATES + 1).fill(order.remove[0]) },
      ['PRUNE_ORDER_UNKNOWN'],
    ],
  ])('when %s, then the writer answers so', async (_, value, expected) => {
    expect(await read(value)).toEqual(expected);
  });

  test.each([
    [59, 'obeyed'],
    [61, ['PRUNE_REVIEW_STALE']],
    [-4, 'obeyed'],
    [-6, ['PRUNE_REVIEW_STALE']],
  ])('when it is %i minutes old, then the writer answers so', async (minutes, expected) => {
    expect(await read(order, AT_MS + minutes * 60_000)).toEqual(expected);
  });
});
