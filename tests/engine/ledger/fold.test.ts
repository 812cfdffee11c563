import { fc } from '../../support/fixed-seed.js';
import { ledgerPrefix, ledgerRecord, type LedgerEntry, type LedgerState } from '../../../src/engine/ledger/entry.js';
import { foldLedger, type LedgerLine } from '../../../src/engine/ledger/fold.js';
import type { Digest } from '../../../src/model/digest.js';

const OURS: Digest = `sha256:${'a'.repeat(64)}`;
const OTHER: Digest = `sha256:${'b'.repeat(64)}`;

const aLine = (state: LedgerState, digest: Digest = OURS, more: Partial<LedgerEntry> = {}): LedgerLine => {
  const entry: LedgerEntry = {
    ...{ state, digest, target: 'index', name: 'skiff-1.0.whl', url: 'http://127.0.0.1/skiff-1.0.whl' },
    ...{ run: 'r1', step: 'publish/index/wheels.skiff', at: '2026-01-02T03:04:05.000Z' },
    release: { name: 'skiff', version: '1.0' },
    ...more,
  };
  return { record: ledgerRecord(ledgerPrefix('local', entry.target, entry.name), state, digest), entry };
};

test.each([
  ['asked for and read back', [aLine('wanted'), aLine('done')], ['done']],
  ['asked for and never seen', [aLine('wanted')], ['asked']],
  ['asked for and seen, but its run ended before it said done', [aLine('wanted'), aLine('observed')], ['there']],
  ['asked for while the target has other bytes', [aLine('wanted'), aLine('observed', OTHER)], ['refused', 'theirs']],
  [
    'replaced by other bytes after our upload',
    [aLine('wanted'), aLine('done'), aLine('wanted', OTHER)],
    ['done', 'refused'],
  ],
])('given a file %s, then the ledger shows it', (_, lines, verbs) => {
  expect(foldLedger(lines).map(({ verb }) => verb)).toEqual(verbs);
});

test('given one file name in two targets and profiles, then the ledger has a row for each', () => {
  const there = aLine('done', OURS, { target: 'hub' });
  const live = { ...aLine('done'), record: aLine('done').record.replace('/local/', '/live/') };
  const rows = foldLedger([there, live, aLine('wanted')]);
  expect(rows.map(({ profile, target, verb }) => `${profile} ${target} ${verb}`)).toEqual([
    'live index done',
    'local hub done',
    'local index asked',
  ]);
});

test('given ledger lines in any order, then the rows are the same', () => {
  const all = [
    aLine('wanted'),
    aLine('done'),
    aLine('wanted', OTHER),
    aLine('observed'),
    aLine('wanted', OURS, { name: 'b' }),
  ];
  const expected = foldLedger(all);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (lines) => {
      expect(foldLedger(lines)).toEqual(expected);
    }),
  );
});
