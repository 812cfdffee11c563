import { reset } from '../../tools/drill/home.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { records } from '../../src/model/run-folder.js';
import { newHome } from '../support/run-body.js';
import { sha256 } from '../plan/a-plan.js';
import { join } from 'node:path';

test('given a new rehearsal, then built results are reused except for drawn steps, and published ones are forgotten', async () => {
  const home = await newHome();
  const store = createDirectoryStore(join(home, 'store'));
  const known = [
    ['wheels/a', 'buildWheel', records.known(sha256('a'))],
    ['wheels/b', 'buildWheel', records.known(sha256('b'))],
    ['images/c', 'buildImage', `${records.known(sha256('c'))}/000001`],
    ['verify/index', 'verifyTarget', `${records.known(sha256('v'))}/000001`],
  ] as const;
  for (const [step, kind, name] of known) await store.create(name, { step, kind });
  await store.create('ledger/local/index/a.whl/wanted-00', { state: 'wanted' });
  await store.create('runs/1/status', { state: 'ended' });

  await reset(home, store, new Set(['wheels/b', 'images/c']));
  expect(await store.list('known/')).toEqual([records.known(sha256('a'))]);
  expect(await store.list('ledger/')).toEqual([]);
  expect(await store.list('runs/')).toEqual(['runs/1/status']);
});
