import { ledger } from '../../src/cli/commands/ledger.js';
import { ledgerPrefix, ledgerRecord, type LedgerEntry, type LedgerState } from '../../src/engine/ledger/entry.js';
import type { Digest } from '../../src/model/digest.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { records } from '../../src/model/run-folder.js';
import { expectGolden } from '../support/golden.js';
import { fakeIo, fakePorts, fakeStore } from './fake-ports.js';

const digest = (letter: string): Digest => `sha256:${letter.repeat(64)}`;
const line = (
  target: string,
  name: string,
  state: LedgerState,
  of: Digest,
  run = '0195e7aa',
): [string, LedgerEntry] => [
  ledgerRecord(ledgerPrefix('local', target, name), state, of),
  {
    ...{
      state,
      target,
      name,
      digest: of,
      url: `http://127.0.0.1/${name}`,
      run,
      step: `publish/${target}/wheels.skiff`,
    },
    release: { name: 'skiff', version: run === 'older' ? '1.1.0' : '1.2.0' },
    at: run === 'older' ? '2026-10-01T09:00:00.123Z' : '2026-11-21T09:30:00.123Z',
  },
];
const store = fakeStore({
  ...Object.fromEntries([
    line('index', 'skiff-1.2.0-cp312.whl', 'wanted', digest('1')),
    line('index', 'skiff-1.2.0-cp312.whl', 'done', digest('1')),
    line('index', 'skiff-1.2.0-cp313.whl', 'wanted', digest('2')),
    line('index', 'skiff-1.2.0.tar.gz', 'wanted', digest('3')),
    line('index', 'skiff-1.2.0.tar.gz', 'observed', digest('4')),
    line('hub', 'a/skiff:1.1.0', 'wanted', digest('5'), 'older'),
    line('hub', 'a/skiff:1.1.0', 'done', digest('5'), 'older'),
  ]),
  [records.started('0195e7aa')]: {
    run: '0195e7aa',
    workflowId: 'rehearsal/skiff/1.2.0',
    plan: null,
    at: '2026-11-21T09:00:00Z',
  },
  [records.started('older')]: {
    run: 'older',
    workflowId: 'rehearsal/skiff/1.1.0',
    plan: null,
    at: '2026-10-01T09:00:00Z',
  },
});
const told = async (args: Record<string, string>, options: Record<string, boolean | string> = {}): Promise<string> => {
  const io = fakeIo();
  expect(await ledger.run({ args, options }, io, fakePorts({ store }))).toBe(0);
  return `${io.printed.join('\n')}\n`;
};

test('given ledger lines, then all are printed by target', async () => {
  expectGolden('cli/ledger.txt', await told({}));
});

test('given a target or a part of a file name, then only matching lines are printed', async () => {
  const text = await told({ target: 'index', name: 'cp313' });
  expect(text).toContain('skiff-1.2.0-cp313.whl');
  expect(text).not.toContain('cp312');
});

test('given --json, then each row has the asking run and the time', async () => {
  const rows = JSON.parse(await told({ target: 'hub' }, { json: true })) as unknown[];
  expect(rows).toEqual([
    expect.objectContaining({
      file: 'a/skiff:1.1.0',
      verb: 'done',
      asked: {
        run: 'older',
        step: 'publish/hub/wheels.skiff',
        workflowId: 'rehearsal/skiff/1.1.0',
        at: '2026-10-01T09:00:00.123Z',
      },
    }),
  ]);
});

test('given an unknown target, then the error lists the known ones', async () => {
  const error = await ledger
    .run({ args: { target: 'indx' }, options: {} }, fakeIo(), fakePorts({ store }))
    .catch((thrown: SlipwayFailure) => thrown.first);
  expect(error).toMatchObject({ code: 'NOTHING_IN_LEDGER', next: expect.stringContaining('hub, index') });
});

test('given a store without publications, then it says so', async () => {
  const io = fakeIo();
  expect(await ledger.run({ args: {}, options: {} }, io, fakePorts())).toBe(0);
  expect(io.printed).toEqual(['Nothing was ever asked of a target from this store.']);
});
