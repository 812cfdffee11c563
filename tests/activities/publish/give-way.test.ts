import { join } from 'node:path';
import { createPublishArtifacts } from '../../../src/activities/publish/publish-artifacts.js';
import type { Store } from '../../../src/activities/ports.js';
import { makeHomeKeys } from '../../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../../src/adapters/home-keys/open.js';
import { provedStore } from '../../../src/adapters/home-keys/proved-store.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { ledgerPrefix, ledgerRecord } from '../../../src/engine/ledger/entry.js';
import type { Publisher } from '../../../src/engine/ledger/gives-way.js';
import { hexOf } from '../../../src/model/digest.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import type { Role } from '../../../src/model/proof.js';
import { records } from '../../../src/model/run-folder.js';
import type { Target } from '../../../src/model/target.js';
import { anArtifact, aStep, newHome, runBody, sha256 } from '../../support/run-body.js';
import { fakeTarget, type FakeTarget } from './fake-target.js';
import { aTarget, built, codesOf, sealOf } from './release.js';

const NAME = 'skiff-1.whl';
const RELEASE = { name: 'skiff', version: '1.2.3' };

let home: string;
let target: FakeTarget;
let bare: Store;
beforeEach(async () => {
  home = await newHome();
  makeHomeKeys(join(home, 'keys'));
  bare = createDirectoryStore(join(home, 'store'));
  target = fakeTarget();
});
const as = (...roles: readonly Role[]): Store => provedStore(bare, openHomeKeys(join(home, 'keys'), roles));

interface Rehearsal {
  readonly plan?: Partial<Plan>;
  readonly to?: Partial<Target>;
  /** The run that Temporal has open. Null: there is no server. */
  readonly open?: string | null;
  readonly files?: readonly string[];
}

/** Plan `no` publishes these bytes, in a run of its own. */
async function rehearse(no: number, bytes: string, run: string, more: Rehearsal = {}) {
  const { files = [NAME], open = run, to = {} } = more;
  const wheels = await Promise.all(files.map((name) => anArtifact(home, name, bytes + name, { kind: 'wheel' })));
  const at = aTarget({ address: 'service:index', ...to });
  const step = aStep('publishArtifacts', { target: at, of: ['wheels/skiff'], tags: [] }, { id: 'publish/shelf' });
  const plan = {
    ...{ release: RELEASE, retries: no, profile: { name: 'local', rehearsal: true } },
    ...{ steps: [step] as unknown as readonly Step[], ...more.plan },
  };
  const body = createPublishArtifacts({
    ...{ targets: target.targets, images: null, readBackWaitsMs: [1] },
    ...(open !== null && { openRun: async (id: string) => (id === 'rehearsal/skiff/1.2.3' ? open : null) }),
  });
  const inputs = [await sealOf(home, [built(wheels)], plan), built(wheels)];
  const surroundings = { store: as('control', 'worker'), service: () => 'http://127.0.0.1:1/' };
  return runBody(body, step, { ...{ home, plan, run, inputs, surroundings } });
}
const codes = (asked: Promise<unknown>): Promise<readonly string[]> => asked.then(() => [], codesOf);
const holds = (bytes: string, name = NAME): boolean => target.held.get(name) === sha256(bytes + name);
const changes = (): readonly string[] => target.asked.filter((one) => /^(replace|upload)/.test(one));

test('given five rehearsals, each with another plan and other bytes, then each replaces those before and says so', async () => {
  await rehearse(1, 'one', 'run-1');
  for (const no of [2, 3, 4, 5]) {
    const { made } = await rehearse(no, `bytes ${no}`, `run-${no}`);
    expect(made).toMatchObject({
      note: "1 file uploaded, 1 file in place of an earlier rehearsal's",
      findings: [{ code: 'REHEARSAL_REPLACED', subject: NAME }],
    });
    expect(made.findings![0]!.why).toContain(no === 2 ? 'from rehearsal run-1,' : `from rehearsal run-${no - 1},`);
    expect(holds(`bytes ${no}`)).toBe(true);
  }
});

test('given a plan that comes back with the bytes it had, then they replace those of the other plan', async () => {
  await rehearse(1, 'one', 'run-1');
  await rehearse(2, 'two', 'run-2');
  await rehearse(1, 'one', 'run-3');
  expect(holds('one')).toBe(true);
});

test('given the same plan with other bytes, then they are refused, also if another plan uploaded the first ones', async () => {
  await rehearse(1, 'one', 'run-1');
  expect(await codes(rehearse(1, 'two', 'run-2'))).toEqual(['OTHER_BYTES']);
  expect((await rehearse(2, 'one', 'run-3')).made.note).toBe('1 file already there');
  expect(await codes(rehearse(2, 'two', 'run-4'))).toEqual(['OTHER_BYTES']);
  expect(holds('one')).toBe(true);
});

test('given several files, then each is uploaded right after its name was made free', async () => {
  const files = ['a.whl', 'b.whl', NAME];
  await rehearse(1, 'one', 'run-1', { files: ['a.whl', 'b.whl'] });
  target.asked.length = 0;
  await rehearse(2, 'two', 'run-2', { files });
  expect(changes()).toEqual(['replace a.whl', 'upload a.whl', 'replace b.whl', 'upload b.whl', `upload ${NAME}`]);
});

test('given an attempt that ends between removal and upload, then the next one uploads once and says what was replaced', async () => {
  await rehearse(1, 'one', 'run-1');
  const { uploads } = target;
  target.uploads = () => Promise.reject(new Error('killed'));
  await expect(rehearse(2, 'two', 'run-2')).rejects.toThrow('killed');
  expect(target.held.size).toBe(0);
  target.uploads = uploads;
  target.asked.length = 0;
  const { made } = await rehearse(2, 'two', 'run-2');
  expect(changes()).toEqual([`upload ${NAME}`]);
  expect(made.findings).toMatchObject([{ code: 'REHEARSAL_REPLACED' }]);
  expect((await rehearse(3, 'three', 'run-3')).made.note).toMatch(/^1 file uploaded/);
});

const LIVE = { plan: { profile: { name: 'live', rehearsal: false } } };

test.each<[what: string, next: Rehearsal]>([
  ['a live profile', LIVE],
  ['a registry of the home under its address', { to: { address: 'http://127.0.0.1:1/' } }],
  ['a service of another kind', { to: { address: 'service:maven' } }],
  ['another version', { plan: { release: { name: 'skiff', version: '1.2.4' } } }],
  ['a pipeline', { plan: { pipeline: true } }],
  ['an earlier run that is still open', { open: 'run-1' }],
  ['a run that Temporal knows as ended', { open: null }],
])('given %s, then the bytes of a rehearsal stay', async (_, next) => {
  await rehearse(1, 'one', 'run-1');
  expect(await codes(rehearse(2, 'two', 'run-2', next))).toEqual(['OTHER_BYTES']);
  expect(holds('one')).toBe(true);
});

test('given bytes that a live run published too, before or after a rehearsal, then they stay', async () => {
  await rehearse(1, 'one', 'run-1', LIVE);
  await rehearse(1, 'one', 'run-2');
  expect(await codes(rehearse(2, 'two', 'run-3'))).toEqual(['OTHER_BYTES']);
  target.held.clear();
  await rehearse(1, 'later', 'run-4');
  await rehearse(1, 'later', 'run-5', LIVE);
  expect(await codes(rehearse(2, 'two', 'run-6'))).toEqual(['OTHER_BYTES']);
});

describe('given bytes that no rehearsal put there', () => {
  const bytes = sha256(`theirs${NAME}`);
  const plan = sha256('another plan');
  const claim: Publisher = { plan, run: 'run-0', release: RELEASE, rehearsal: true, put: true };
  const record = records.publisher('index', NAME, bytes, plan);
  beforeEach(() => void target.held.set(NAME, bytes));
  afterEach(async () => {
    expect(await codes(rehearse(1, 'ours', 'run-1'))).toEqual(['OTHER_BYTES']);
    expect(target.held.get(NAME)).toBe(bytes);
  });

  test('when a line of the ledger says so, then they stay', async () => {
    const line = { target: 'shelf', name: NAME, digest: bytes, url: '', run: 'run-0', step: 'publish/shelf' };
    for (const state of ['wanted', 'done'] as const)
      await bare.create(ledgerRecord(ledgerPrefix('local', 'shelf', NAME), state, bytes), {
        ...line,
        state,
        release: RELEASE,
      });
  });
  test('when a record without a proof says so, then they stay', () => bare.create(record, claim));
  test("when a record with a builder's proof says so, then they stay", () => as('worker').create(record, claim));
  test('when a record of another file is copied there, then they stay', async () => {
    const other = records.publisher('index', NAME, sha256('other'), plan);
    await as('control').create(other, claim);
    await bare.create(record, await bare.read<object>(other));
  });
  test('when a rehearsal found them, then they stay', async () => {
    await rehearse(2, 'theirs', 'run-2');
    expect(hexOf(bytes)).toHaveLength(64);
  });
});
