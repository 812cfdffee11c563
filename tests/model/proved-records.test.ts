import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../src/adapters/home-keys/open.js';
import { provedStore } from '../../src/adapters/home-keys/proved-store.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { claimRecord, lookedRecord, provedRecord as provedEntry } from '../../src/engine/ledger/entry.js';
import { provedRecord, signerOf } from '../../src/model/proved-records.js';
import { records } from '../../src/model/run-folder.js';
import { workerRecords } from '../../src/model/worker.js';
import { newHome, sha256 } from '../support/run-body.js';
import { join } from 'node:path';

/** Each name that a record can have, made with arguments that fit all of them. */
const chain = { pipeline: 'night', profile: 'local', branch: 'main', target: 'index' };
const ARGUMENTS: Partial<Record<keyof typeof records, readonly unknown[]>> = {
  ...{ standings: [chain, 1], testActions: [chain, 1], reported: [chain, 'crew', 1], reportBegins: [chain, 'crew'] },
  ...{ prunes: [chain, 1], folderPrunes: ['night', 1], wanted: [chain, 'now'], indexUse: [chain, sha256('x')] },
  ...{
    known: [sha256('x')],
    planSignature: [sha256('x')],
    checkpoint: ['r1', sha256('x')],
    base: ['l', { at: 'now', digest: sha256('x') }],
  },
  ...{
    doneBefore: ['night', sha256('x')],
    spent: [sha256('x'), sha256('y')],
    indexed: [sha256('x'), 'p', sha256('y')],
  },
  signature: ['ABCD', sha256('x')],
  ...{ confirmed: [sha256('x'), 'w'], pure: [sha256('x'), sha256('y')], failedTries: ['wheels/a', sha256('x')] },
  ...{
    result: ['r1', 'wheels/a', 2],
    rounds: ['r1', 2],
    audit: ['r1', 1],
    log: ['r1', 'wheels/a', 1],
    bisects: ['day', 1],
  },
};
const NAMES = Object.entries(records).map(([of, make]) => {
  const name = (make as (...args: readonly unknown[]) => string)(
    ...(ARGUMENTS[of as keyof typeof records] ?? ['r1', 'a', 'b', 'c', 'd']),
  );
  return [of, name] as const;
});

/** Names that other modules make. */
const OTHERS = [
  claimRecord('r1', sha256('x'), 'index', 'a'),
  lookedRecord('r1', sha256('x')),
  provedEntry('r1', 'index', 1),
  workerRecords.announcement('control', 'kim', 'i1'),
].map((name) => ['another module', name] as const);

test.each([...NAMES, ...OTHERS])('given a record named by %s, then %s belongs to a family', (_, name) => {
  expect(signerOf(name)).toBeDefined();
});

test.each([
  [records.result('r1', 'gates/ship', 2), { role: 'control', step: 'gates/ship' }],
  [records.result('r1', 'wheels/gates/cp312'), { role: 'worker', purpose: 'result', step: 'wheels/gates/cp312' }],
  [records.memory('r1', 'publish/index/a', 'b/c'), { role: 'control' }],
  [records.memory('r1', 'wheels/a', 'b'), { role: 'worker' }],
  [records.known(sha256('x')), { role: 'worker', purpose: 'result', step: null }],
  [records.outcome('night', 'r1', 'a', 1, 1), { role: 'worker' }],
  [records.standings({ pipeline: 'a', profile: 'b', branch: 'c' }, 1), { role: 'control' }],
  [records.standingsNews('r1'), null],
  [records.log('r1', 'gates/ship', 1), null],
  // A step of a prefix that no kind has, in a run of before.
  [records.result('r1', 'former/x'), { role: 'worker', purpose: 'result', step: 'former/x' }],
])('given %s, then it is signed as before: %j', (name, rule) => {
  expect(provedRecord(name)).toEqual(rule === null ? null : expect.objectContaining(rule));
});

test('given a record of no family, then it is refused when it is written, and one of before is read', async () => {
  const home = await newHome();
  makeHomeKeys(join(home, 'keys'));
  const bare = createDirectoryStore(join(home, 'store'));
  const store = provedStore(bare, openHomeKeys(join(home, 'keys')));
  for (const name of ['scans/a', 'runs/r1/scans/a'])
    await expect(store.create(name, { a: 1 })).rejects.toMatchObject({ first: { code: 'RECORD_OF_NO_FAMILY' } });
  await bare.create('scans/a', { a: 1 });
  expect(await store.read('scans/a')).toEqual({ a: 1 });
});
