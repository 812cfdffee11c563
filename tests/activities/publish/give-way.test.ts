import { join } from 'node:path';
import { createPublishArtifacts } from '../../../src/activities/publish/publish-artifacts.js';
import { createVerifyTarget } from '../../../src/activities/verify/verify-target.js';
import type { Store } from '../../../src/activities/ports.js';
import { makeHomeKeys } from '../../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../../src/adapters/home-keys/open.js';
import { provedStore } from '../../../src/adapters/home-keys/proved-store.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { ledgerPrefix, ledgerRecord } from '../../../src/engine/ledger/entry.js';
import type { Publisher } from '../../../src/activities/publish/publishers.js';
import type { Finding } from '../../../src/model/finding.js';
import type { JsonObject } from '../../../src/model/json.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import type { Role } from '../../../src/model/proof.js';
import { publishedBy } from '../../../src/model/report.js';
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
  readonly signal?: AbortSignal;
  /** Files of each verification of the target. All have passed before, and their findings come back. */
  readonly verified?: readonly (readonly string[])[];
}

/** Plan `no` publishes these bytes, in a run of its own. */
async function rehearse(no: number, bytes: string, run: string, more: Rehearsal = {}) {
  const { files = [NAME], open = run, to = {} } = more;
  const tags = to.kind === 'oci' ? files : [];
  const made = tags.length > 0 ? ['image'] : files;
  const kind = tags.length > 0 ? 'image' : 'wheel';
  const wheels = await Promise.all(made.map((name) => anArtifact(home, name, bytes + name, { kind })));
  const at = aTarget({ address: 'service:index', ...to });
  const step = aStep('publishArtifacts', { target: at, of: ['wheels/skiff'], tags }, { id: 'publish/shelf' });
  const check = { target: at, project: 'skiff', version: '1.2.3', of: ['wheels/skiff'], run: null, python: null };
  const checks = ['0', '1'].map((id) => aStep('verifyTarget', check, { id: `verify/shelf/${id}` }));
  const elsewhere = { ...check, target: { ...at, repository: 'elsewhere' } };
  const before = aStep('verifyTarget', elsewhere, { id: 'verify/elsewhere' });
  const plan = {
    ...{ release: RELEASE, retries: no, profile: { name: 'local', rehearsal: true } },
    ...{ steps: [step, before, ...checks] as unknown as readonly Step[], ...more.plan },
  };
  const ports = {
    ...{ targets: target.targets, images: null, readBackWaitsMs: [1] },
    ...(open !== null && { openRun: async (id: string) => (id === 'rehearsal/skiff/1.2.3' ? open : null) }),
  };
  const inputs = [await sealOf(home, [built(wheels)], plan), built(wheels)];
  const service = (name: string): string => `http://127.0.0.1:${{ index: 1, maven: 2, registry: 3 }[name]}/`;
  const surroundings = { store: as('control', 'worker'), service };
  const { signal } = more;
  const options = { ...{ home, plan, run, inputs, surroundings }, ...(signal && { signal }) };
  const published = await runBody(createPublishArtifacts(ports), step, options);
  const findings: Finding[] = [];
  for (const [at, names] of (more.verified ?? []).entries()) {
    const { result } = published;
    const here = publishedBy(result).filter(({ name }) => names.includes(name)) as unknown as readonly JsonObject[];
    const own = { ...result, facts: { ...result.facts, published: here } };
    const verifying = { ...options, inputs: [...inputs, own], known: result };
    findings.push(...(await runBody(createVerifyTarget(ports), checks[at]!, verifying)).made.findings!);
  }
  return { ...published, findings };
}
const codes = (asked: Promise<unknown>): Promise<readonly string[]> => asked.then(() => [], codesOf);
const holds = (bytes: string, name = NAME): boolean => target.held.get(name) === sha256(bytes + name);
let last = 10;
/** Publishes by another plan. Returns the refusal if the bytes that are there stay. */
const another = (): Promise<readonly string[]> => codes(rehearse(++last, `bytes ${last}`, `run-${last}`));
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
  const files = ['a.whl', 'b.whl', 'c.whl', NAME];
  await rehearse(1, 'one', 'run-1', { files: ['a.whl', 'b.whl'] });
  target.asked.length = 0;
  await rehearse(2, 'two', 'run-2', { files });
  expect(changes()).toEqual(['replace a.whl', 'upload a.whl', 'replace b.whl', 'upload b.whl', `upload c.whl ${NAME}`]);
});

describe('given two files to replace, and a change of the second while the first is uploaded', () => {
  const files = ['a.whl', 'b.whl'];
  const meanwhile = async (bytes: string) => {
    await rehearse(1, 'one', 'run-1', { files });
    const { uploads } = target;
    target.uploads = async (keep) => {
      await uploads(keep);
      target.held.set('b.whl', sha256(bytes));
    };
    target.asked.length = 0;
    return rehearse(2, 'two', 'run-2', { files });
  };

  test('when other bytes came that no rehearsal put there, then they stay', async () => {
    expect(await codes(meanwhile('theirs'))).toEqual(['OTHER_BYTES']);
    expect(changes()).toEqual(['replace a.whl', 'upload a.whl']);
    expect(target.held.get('b.whl')).toBe(sha256('theirs'));
  });
  test('when the own bytes came, then nothing is removed', async () => {
    expect((await meanwhile('twob.whl')).made.facts!['published']).toHaveLength(2);
    expect(changes()).toEqual(['replace a.whl', 'upload a.whl']);
  });
});

test('given an attempt that was asked to end, then it removes nothing', async () => {
  await rehearse(1, 'one', 'run-1');
  await expect(rehearse(2, 'two', 'run-2', { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  expect(holds('one')).toBe(true);
});

test('given the same plan with other bytes after a rehearsal of another plan, then it is refused with the bytes that it had', async () => {
  await rehearse(1, 'one', 'run-1');
  await rehearse(2, 'two', 'run-2');
  const error = await rehearse(1, 'again', 'run-3').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ first: { code: 'OTHER_BYTES', details: { seen: sha256(`one${NAME}`) } } });
  expect(holds('two')).toBe(true);
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

describe('given a rehearsal whose plan makes fewer files than one before', () => {
  const fewer = (no = 2, more: Rehearsal = {}) =>
    rehearse(no, 'one', `run-${no}`, { files: [NAME], verified: [[NAME]], ...more }).then(({ findings }) => findings);
  beforeEach(() => rehearse(1, 'one', 'run-1', { files: ['a.whl', NAME] }));

  test('when its target is verified, then what is left is named, though no bytes were replaced', async () => {
    expect(await fewer()).toMatchObject([{ code: 'REHEARSAL_LEFT', subject: 'a.whl' }]);
    expect((await fewer(3))![0]!.why).toMatch(/^shelf still has it \(\w{12}\) from rehearsal run-1, /);
    expect(target.held.has('a.whl')).toBe(true);
  });
  test('when the target has several verifications, then the first alone names what the seal lacks', async () => {
    const files = ['b.whl', NAME];
    await rehearse(3, 'one', 'run-3', { files: ['a.whl', ...files] });
    expect(await fewer(2, { files, verified: [[NAME], ['b.whl']] })).toMatchObject([{ subject: 'a.whl' }]);
  });
  test('when the registry refuses to show a file, then nothing is said of it, and the verification passes', async () => {
    await rehearse(3, 'one', 'run-3', { files: ['b.whl', NAME] });
    target.hides.add('a.whl');
    expect(await fewer()).toMatchObject([{ subject: 'b.whl' }]);
  });
  test('when a record cannot be read, then nothing is said of its file', async () => {
    await rehearse(3, 'one', 'run-3', { files: ['b.whl', NAME] });
    const { read } = bare;
    const reads = (at: string) => (at.includes('/a.whl/') ? Promise.reject(new Error('no read')) : read(at));
    bare = { ...bare, read: reads as Store['read'] };
    expect(await fewer()).toMatchObject([{ subject: 'b.whl' }]);
  });
  test('when the names cannot be listed, then nothing is said', async () => {
    const { list } = bare;
    const fails = (prefix: string) => prefix === records.publisher('index');
    bare = { ...bare, list: (at) => (fails(at) ? Promise.reject(new Error('no list')) : list(at)) };
    expect(await fewer()).toEqual([]);
  });
  test('when the file is gone, or has other bytes, then nothing is said of it', async () => {
    target.held.set('a.whl', sha256('theirs'));
    expect(await fewer()).toEqual([]);
    target.held.delete('a.whl');
    expect(await fewer(3)).toEqual([]);
  });
  test.each<[what: string, more: Rehearsal]>([
    ['a live profile', { plan: { profile: { name: 'live', rehearsal: false } } }],
    ['another version', { plan: { release: { name: 'skiff', version: '1.2.4' } } }],
    ['the same plan', { plan: { retries: 1 } }],
  ])('when %s comes next, then nothing is said', async (_, more) => expect(await fewer(2, more)).toEqual([]));
});

test('given a tag of another repository that the other plan published too, then this target is not asked for it', async () => {
  const to = { kind: 'oci', address: 'service:registry', repository: 'skiff' } as const;
  await rehearse(1, 'one', 'run-1', { to, files: ['skiff:1', 'skiff:old', 'other:old'] });
  const { findings } = await rehearse(2, 'one', 'run-2', { to, files: ['skiff:1'], verified: [['skiff:1']] });
  expect(findings).toMatchObject([{ code: 'REHEARSAL_LEFT', subject: 'skiff:old' }]);
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

test.each([
  'http://127.0.0.1:1/',
  'http://localhost:1/root',
  'http://[::1]:1/',
  'http://0.0.0.0:1/',
  'http://x@LOCALHOST:1/',
])('given a live run to the home by %s, then its bytes stay', async (address) => {
  await rehearse(1, 'one', 'run-1');
  await rehearse(1, 'one', 'run-2', { ...LIVE, to: { address } });
  expect(await bare.list(records.publisher('index', NAME, sha256(`one${NAME}`)))).toHaveLength(2);
  expect(await another()).toEqual(['OTHER_BYTES']);
});

test.each<[who: string, plan: Partial<Plan>]>([
  ['another release', { release: { name: 'other', version: '1.2.3' } }],
  ['another version', { release: { name: 'skiff', version: '1.2.4' } }],
  ['a pipeline named alike', { pipeline: true }],
])('given bytes that %s found, then it holds them', async (_, plan) => {
  await rehearse(1, 'one', 'run-1');
  await rehearse(1, 'one', 'run-2', { plan });
  expect(await another()).toEqual(['OTHER_BYTES']);
});

describe('given a live run that published bytes of a rehearsal too', () => {
  const live = () => records.publisher('index', NAME, sha256(`one${NAME}`));
  /** The file of the record that only the live run wrote. */
  const file = async (): Promise<string> => {
    await rehearse(1, 'one', 'run-1');
    const before = await bare.list(live());
    await rehearse(1, 'one', 'run-2', LIVE);
    return (await bare.list(live())).find((one) => !before.includes(one))!;
  };
  afterEach(async () => {
    expect(await another()).toEqual(['OTHER_BYTES']);
    expect(holds('one')).toBe(true);
  });

  test('when its record was changed, then they stay, and so does the record', async () => {
    const record = await file();
    const seen = await bare.read<object>(record);
    await bare.setAside(record, seen!);
    await bare.create(record, { ...seen, workflowId: 'rehearsal/skiff/1.2.3' });
    expect(await another()).toEqual(['OTHER_BYTES']);
    expect(await bare.read(record)).not.toBeNull();
  });
  test('when its record was removed, then a line of the ledger keeps them', async () => {
    const record = await file();
    await bare.setAside(record, (await bare.read<object>(record))!);
    expect(await bare.list(live())).not.toContain(record);
  });
});

test('given a line of a registry elsewhere, or of a rehearsal that ended before its record, then it keeps no bytes', async () => {
  await rehearse(1, 'one', 'run-1');
  const digest = sha256(`one${NAME}`);
  const add = (profile: string, run: string, url: string) =>
    bare.create(ledgerRecord(ledgerPrefix(profile, 'shelf', NAME), 'wanted', digest), { name: NAME, digest, run, url });
  await add('live', 'run-0', 'https://index.example/skiff-1.whl');
  await add('other', 'run-00', 'http://localhost:1/skiff-1.whl');
  expect(await another()).toEqual(['OTHER_BYTES']);
  await bare.create(records.started('run-00'), { run: 'run-00', workflowId: 'rehearsal/skiff/1.2.3' });
  expect(await another()).toEqual([]);
});

describe('given bytes that no rehearsal put there', () => {
  const bytes = sha256(`theirs${NAME}`);
  const plan = sha256('another plan');
  const claim: Publisher = { plan, run: 'run-0', workflowId: 'rehearsal/skiff/1.2.3', put: true };
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
  });
});
