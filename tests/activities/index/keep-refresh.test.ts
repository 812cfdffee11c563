import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWritePages } from '../../../src/activities/index/write-pages.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { createTargets } from '../../../src/adapters/targets.js';
import type { Digest } from '../../../src/model/digest.js';
import { canonical } from '../../../src/model/json.js';
import type { RunStatus } from '../../../src/model/messages.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import { dueStamp, indexPaths } from '../../../src/model/python/index-entry.js';
import type { Row } from '../../../src/model/rows.js';
import { records } from '../../../src/model/run-folder.js';
import { aPlan, aStep, newHome, sha256 } from '../../support/run-body.js';
import { aTarget } from '../publish/release.js';
import { digest } from '../../engine/index/an-entry.js';
import { aFolder, NO_ORDERS, PLATFORM, put, wheel } from './an-index.js';

const row = (subject: string, verdict: string, reason: string): Row => ({ subject, verdict, reason, origin: null });
const ROWS = {
  'wheels/constraints': [
    row(`boat==1 ${PLATFORM} cp311`, 'here', 'boat-1-py3-none-any.whl'),
    row(`ldap==3 ${PLATFORM} cp311`, 'known', 'x'.repeat(2 ** 20)),
    row('ldap==3 debian-99 cp311', 'known', 'needs newer headers'),
  ],
};

/** An index, a store with the plan of an ended run, and a writer that serves both. */
async function aWorld() {
  const { root, place } = aFolder();
  await put(place, wheel('boat', '1'));
  const store = createDirectoryStore(join(await newHome(), 'store'));
  const rows = { slipway: 1, rows: ROWS };
  await store.put(
    (async function* () {
      yield new TextEncoder().encode(canonical(rows));
    })(),
  );
  const target = aTarget({
    name: 'cache',
    kind: 'simple',
    address: root,
    extra: { kind: 'simple', reads: null, endpoint: null },
  });
  const steps = [aStep('publishArtifacts', { target, of: [], tags: [] }, { id: 'publish/cache' })];
  const imports = { facts: digest('1'), rows: sha256(canonical(rows)), of: [] };
  const plan: Plan = { ...aPlan(), steps: steps as unknown as readonly Step[], imports };
  const planned: Digest = digest('2');
  const write = createWritePages({
    planOf: async () => plan,
    connect: async (_, { params }) => ({
      ...{ ...params.target, extra: params.target.extra ?? null },
      ...{ staging: null, secrets: {}, version: '1' },
    }),
    targets: createTargets(),
    ...NO_ORDERS,
    copies: { store, withFolder: () => Promise.reject(new Error('nothing is restored')) },
  });
  const ends = (run: string, startedAt: number, of: Digest = planned) =>
    store.create(records.status(run), {
      ...{ workflowId: `pipeline/boats/${run}`, run, plan: of, state: 'done', startedAt, steps: [], problems: [] },
    } as unknown as RunStatus);
  const ask = async (run: string) => {
    const { outcomes } = await write({
      requests: [{ plan: planned, step: 'publish/cache', run, names: [], ended: true }],
    });
    return outcomes;
  };
  const status = () => readFileSync(join(root, indexPaths.status(PLATFORM, 'json')), 'utf8');
  return { root, place, plan, ends, ask, status };
}

test('given a run that ended, then the index stores what it wanted there, and its status says so', async () => {
  const { root, plan, ends, ask, status } = await aWorld();
  await ends('one', Date.parse('2026-11-23T03:00:00Z'));
  expect(await ask('one')).toEqual([{ findings: [] }]);
  const [refresh] = (JSON.parse(status()) as { refreshes: readonly { wheels: readonly { because: string }[] }[] })
    .refreshes;
  expect(refresh).toMatchObject({
    ...{ pipeline: plan.release.name, workflowId: 'pipeline/boats/one', at: '2026-11-23T03:00:00.000Z' },
    targets: [{ target: 'cp311', wanted: 2, counts: { here: 1, known: 1 } }],
  });
  expect(refresh!.wheels.map(({ because }) => because.length)).toEqual([23, 500]);
  expect(existsSync(join(root, 'debian-99'))).toBe(false);
  const before = status();
  await ask('one');
  expect(status()).toBe(before);
});

test('given an older run, one that has not ended and one of another plan, then the record stays', async () => {
  const { ends, ask, status } = await aWorld();
  await ends('new', Date.parse('2026-11-23T03:00:00Z'));
  await ask('new');
  const before = status();
  await ends('old', Date.parse('2026-11-22T03:00:00Z'));
  await ends('other', Date.parse('2026-11-24T03:00:00Z'), digest('3'));
  for (const run of ['old', 'other', 'running']) await ask(run);
  expect(status()).toBe(before);
});

test('given removed wheels whose grace is over, when a run ends that published none, then their bytes leave', async () => {
  const { root, place, ends, ask } = await aWorld();
  const file = wheel('oars', '1');
  await put(place, file);
  const due = dueStamp(Date.now() - 1000);
  await place.create(indexPaths.dueFile(PLATFORM, due, 'oars', file), '');
  const gone = { slipway: 1, file, state: 'removed', by: 'ann', because: 'pruned', review: digest('9'), due };
  await place.create(indexPaths.goneFile(PLATFORM, 'oars', file), JSON.stringify(gone));
  await ends('one', Date.now());
  await ask('one');
  const wheels = [file, wheel('boat', '1')].map((name) => indexPaths.file(PLATFORM, name.split('-')[0]!, name));
  expect(wheels.map((path) => existsSync(join(root, path)))).toEqual([false, true]);
});
