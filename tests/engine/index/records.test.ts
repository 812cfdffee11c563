import { readEntry, readGone } from '../../../src/engine/index/read-record.js';
import { readRollup, rollupText } from '../../../src/engine/index/rollup.js';
import { anEntry } from './an-entry.js';

const FILE = 'skiff-1.0-py3-none-any.whl';
const at = (file = FILE, project = 'skiff'): string => `debian-12/entries/${project}/${file}.json`;
const text = JSON.stringify(anEntry(FILE));

test('given a sound record, when it is read, then it is the entry', () => {
  expect(readEntry(at(), text)).toEqual(anEntry(FILE));
});

test.each([
  ['is truncated', at(), text.slice(0, 40), 'no JSON object'],
  ['is empty', at(), '', 'no JSON object'],
  ['is a list', at(), '[]', 'no JSON object'],
  ['is of another format', at(), text.replace('"slipway":1', '"slipway":2'), 'another format'],
  ['names another file', at('skiff-1.1-py3-none-any.whl'), text, 'another file'],
  ['is below another project', at(FILE, 'boat'), text, 'the wheel is of skiff'],
  ['is no wheel', at('notes.txt'), text, 'no wheel'],
  ['has a digest that is none', at(), text.replace('sha256:a', 'md5:a'), '"digest" is no sha256'],
  ['has a negative size', at(), text.replace('1234', '-1'), '"size"'],
  ['has a time that is none', at(), text.replace('2026-11-22T', 'yesterday'), '"uploadTime"'],
])('given a record that %s, when it is read, then it is a finding with path and reason', (_, path, content, why) => {
  expect(readEntry(path, content)).toMatchObject({ code: 'INDEX_ENTRY_DAMAGED', subject: path, level: 'warning' });
  expect((readEntry(path, content) as { why: string }).why).toContain(why);
});

test('given a removal without a reason, when it is read, then it is a finding', () => {
  const gone = { slipway: 1, file: FILE, state: 'removed' };
  expect(readGone(at(), JSON.stringify(gone))).toMatchObject({ code: 'INDEX_GONE_DAMAGED' });
  expect(readGone(at(), JSON.stringify({ ...gone, because: 'unused' }))).toMatchObject({ state: 'removed' });
});

test('given a roll-up, when it is read, then it has every sound row by file', () => {
  const rows = [anEntry('skiff-1.0-py3-none-any.whl'), anEntry('a-2-py3-none-any.whl')];
  const rollup = rollupText(rows);
  expect([...readRollup(rollup).keys()]).toEqual(['a-2-py3-none-any.whl', 'skiff-1.0-py3-none-any.whl']);
  expect(readRollup(rollup.slice(0, 99)).size).toBe(0);
  expect(readRollup(rollup.replace('sha256:a', 'x')).size).toBe(1);
  expect(readRollup(null).size).toBe(0);
});
