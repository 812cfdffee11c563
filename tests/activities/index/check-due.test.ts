import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkIndex } from '../../../src/activities/index/check-index.js';
import { drawGroup } from '../../../src/activities/index/draw-group.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { repairsOf } from '../../../src/engine/index/repairs.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { aRefresh } from '../../engine/index/a-refresh.js';
import { digest } from '../../engine/index/an-entry.js';
import { wheelName } from '../../support/a-wheel.js';
import { PLATFORM } from './an-index.js';
import { aSoundIndex } from './a-sound-index.js';

test('given a mark whose time has come, then a check reports it without a defect, and a repair has the writer remove the bytes', async () => {
  const { root, place } = await aSoundIndex();
  const file = wheelName({ project: 'skiff', version: '3.0', python: 'py3' });
  const due = '20261124T030000Z';
  const gone = { slipway: 1, file, state: 'removed', by: 'ann', because: 'pruned', review: digest('9'), due };
  await place.create(indexPaths.dueFile(PLATFORM, due, 'skiff', file), '');
  await place.create(indexPaths.goneFile(PLATFORM, 'skiff', file), JSON.stringify(gone));
  await drawPages(place, PLATFORM, ['skiff']);
  const before = await checkIndex(place, Date.parse('2026-11-24T02:59:59Z'));
  expect(before.defects).toEqual([]);
  const after = await checkIndex(place, Date.parse('2026-11-24T03:00:00Z'));
  expect(after.defects).toMatchObject([
    { level: 'note', code: 'INDEX_DUE', subject: `${PLATFORM}/due/${due}/skiff/${file}`, repair: 'pages' },
  ]);
  const { names } = repairsOf(after.defects, after.projects);
  expect(names).toEqual([`${PLATFORM}/skiff`]);
  const nowMs = Date.parse('2026-11-24T03:00:00Z');
  await drawGroup({ place, asked: new Map([[0, { names, findings: [], platforms: [], refreshed: [] }]]) }, nowMs);
  expect((await checkIndex(place, nowMs)).defects).toEqual([]);
  expect(existsSync(join(root, indexPaths.file(PLATFORM, 'skiff', file)))).toBe(false);
});

test('given a damaged record of a last run, then a check names it, and its pages are those without it', async () => {
  const { root, place } = await aSoundIndex();
  await place.create(indexPaths.refresh(PLATFORM, 'boats'), '{"slipway":1');
  expect((await checkIndex(place)).defects).toMatchObject([{ code: 'INDEX_REFRESH_DAMAGED', repair: null }]);
  writeFileSync(join(root, indexPaths.refresh(PLATFORM, 'boats')), JSON.stringify(aRefresh()));
  const { defects } = await checkIndex(place);
  expect(defects.map(({ code, subject }) => `${code} ${subject}`).sort()).toEqual([
    `INDEX_PAGE_OLD ${PLATFORM}/simple/status.html`,
    `INDEX_PAGE_OLD ${PLATFORM}/simple/status.json`,
  ]);
});
