/** @slow */
import type * as Kinds from '../../src/model/kinds.js';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { once } from '../../src/adapters/facts/index.js';
import type { Body, Work } from '../../src/activities/work.js';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import { createTargets, type OpenTarget } from '../../src/adapters/targets.js';
import { canonical } from '../../src/model/json.js';
import { records } from '../../src/model/run-folder.js';
import { doctor } from '../../src/services/doctor/index.js';
import { type Checked, well } from '../../src/services/doctor/check.js';
import { runActivities, stepActivities } from '../../src/workers/activities.js';
import { createBodies } from '../../src/workers/bodies.js';
import type { FeatureNode, FeatureNodes, NodeList } from '../../src/workers/feature.js';
import { endedOf, withFeatures } from '../../src/workers/with-features.js';
import { aTarget } from '../activities/publish/release.js';
import { aPlan, aStep, newHome, realSurroundings, runBody } from '../support/run-body.js';

/** A kind of a feature: it changes a target, and runs code of a project with the Pythons of this machine. */
jest.mock('../../src/model/kinds.js', () => {
  const real = jest.requireActual<typeof Kinds>('../../src/model/kinds.js');
  const scanImage = { ...real.KINDS.runTest, policy: 'own target', services: [] };
  return { ...real, KINDS: { ...real.KINDS, scanImage } };
});

const made = { artifacts: [], note: '' };
const body = async () => made;
const withBody = (kind: string, scan: Body<'runTest'> = body): FeatureNode => ({ bodies: () => ({ [kind]: scan }) });
const adapters = { interpreters: createInterpreters() };
const bodiesWith = async (features: FeatureNodes) =>
  createBodies(realSurroundings(await newHome()), adapters, features as never) as Record<string, Body<'runTest'>>;

/** Runs the body of a feature's kind in a release that is published at this address. */
async function scan(address: string, rehearsal: boolean) {
  const seen: Work[] = [];
  const { scanImage } = await bodiesWith({
    sample: withBody('scanImage', async (work) => (seen.push(work), made)),
  });
  const step = aStep('proveTarget', {
    target: aTarget({ kind: 'maven', address }),
    project: 'skiff',
    version: '1',
  } as never);
  const toolchain = { pin: 'd', tools: {}, pythons: { cp311: '/of/another/machine' } };
  const plan = aPlan({ profile: { name: 'live', rehearsal }, steps: [step as never] });
  const ran = await runBody(scanImage!, step as never, { plan, toolchain }).then(
    () => null,
    (error: { problems: readonly { code: string }[] }) => error.problems[0]!.code,
  );
  return { ran, pythons: seen.map(({ toolchain: here }) => here!.pythons) };
}

test("given the body of a feature's kind, then the policy of the worker is asked first, and it gets this machine's Pythons", async () => {
  expect(await scan('https://repository.example/', false)).toEqual({ ran: 'POLICY_MISSING', pythons: [] });
  const { ran, pythons } = await scan('http://127.0.0.1:1/', true);
  expect(ran).toBeNull();
  expect(pythons).toHaveLength(1);
  expect(pythons).not.toEqual([{ cp311: '/of/another/machine' }]);
});

test("given a feature's kind, then a worker serves it as an activity of a step", async () => {
  const around = realSurroundings(await newHome());
  const served = stepActivities(around, adapters, { sample: withBody('scanImage') } as never);
  const { scanImage } = served as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  const asked = new MockActivityEnvironment().run(scanImage!, { run: '../..' });
  await expect(asked).rejects.toMatchObject({ type: 'STEP_INPUT_INVALID' });
});

test.each([
  [
    { one: withBody('scanImage'), two: withBody('scanImage') },
    'feature "one" and feature "two" both have a body "scanImage"',
  ],
  [{ one: withBody('runTest') }, 'the core and feature "one" both have a body "runTest"'],
  [{ one: withBody('scanImge') }, 'feature "one" has a body for "scanImge", and no such kind'],
])('given features with such bodies, then a worker refuses to start', async (features, message) => {
  await expect(bodiesWith(features)).rejects.toThrow(message);
});

test('given a feature with activities, then each worker serves its own, and a name of the core is refused', () => {
  const watch = async (): Promise<void> => undefined;
  const served: FeatureNodes = {
    sample: { activities: { control: () => ({ drawPage: watch }), watches: () => ({ watchMirror: watch }) } },
  };
  const on = (worker: 'control' | 'watches', core: object) =>
    Object.keys(withFeatures(worker, core, served, {} as never));
  expect(on('control', { makePlan: watch })).toEqual(['makePlan', 'drawPage']);
  expect(on('watches', { watchFleet: watch })).toEqual(['watchFleet', 'watchMirror']);
  expect(() => on('control', { drawPage: watch })).toThrow(
    'the core and feature "sample" both have a Temporal activity "drawPage"',
  );
});

test('when the status of a run is stored, then features are called, and a failure of one is a finding', async () => {
  const around = realSurroundings(await newHome());
  const { digest } = await around.store.put(once(canonical(aPlan())));
  const told: unknown[] = [];
  const writer = { list: () => Promise.reject(new Error('no index is published to')) };
  const ended = endedOf(around, writer, {
    broken: { ended: () => Promise.reject(new Error('its page is read-only')) },
    sample: {
      ended: async (plan, status, { store }) => {
        told.push(plan.release.name, await store.read(records.status(status.run)));
        return [{ level: 'note', code: 'DRAWN', subject: 'page', why: 'it is new', next: '' }];
      },
    },
  });
  const { keepStatus } = runActivities({ ...around, waitsFor: () => null }, {} as never, ended);
  const status = {
    run: 'r1',
    plan: digest,
    workflowId: 'w',
    startedAt: 0,
    steps: [],
    verdict: { verdict: 'failed', reasons: [] },
  };
  await new MockActivityEnvironment().run(keepStatus, status as never);
  expect(told).toEqual(['skiff', status]);
  expect(await around.store.read(records.findingsAfter('r1'))).toMatchObject([
    { code: 'FEATURE_AFTER_RUN_FAILED', subject: 'broken', why: expect.stringMatching(/its page is read-only/) },
    { code: 'DRAWN' },
  ]);
});

test('given a kind of target of a feature, then it is opened by the feature, and a kind of the core is refused', () => {
  const own = { undo: 'none' };
  const targets = createTargets({ patienceMs: 5 }, null, {
    sample: { pool: (_, session) => ({ ...own, session }) as never },
  });
  expect(targets.open({ kind: 'pool' } as never, {} as never)).toEqual({ ...own, session: { patienceMs: 5 } });
  const open = (): never => own as never;
  expect(() => createTargets({}, null, { sample: { s3: open } })).toThrow('both have a kind of target "s3"');
});

test('given checks of features, then doctor has their findings, and a check that throws is a finding of its feature', async () => {
  const home = await newHome();
  const patient = {
    home,
    toolsBin: join(home, 'bin'),
    env: {},
    folder: home,
    state: null,
    named: [],
    plans: async () => ({}),
  };
  const broken = (): never => {
    throw new Error('no scanner');
  };
  const found = await doctor(patient, { sample: { doctor: [() => well('scanner', '1.2'), broken] }, bare: {} });
  expect(found.slice(-2)).toEqual([
    { name: 'scanner', ok: true, detail: '1.2', mend: '' },
    {
      name: 'sample',
      ok: false,
      detail: 'a check threw: no scanner',
      mend: 'Correct that check in src/features/sample/node.ts',
    },
  ]);
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['temporal', 'uv', 'home', 'sandbox']));
});

/** Types: `tsc -p tsconfig.tests.json` refuses a line below that stops being an error. */
type Lists = { readonly sample: { readonly kinds: { readonly runTest: object } }; readonly bare: object };
export const complete = { sample: { bodies: () => ({ runTest: body }) } } satisfies NodeList<Lists>;
/** `slipway doctor` takes a list whose features have no checks. */
export const unchecked: Checked = complete;
// @ts-expect-error no body of runTest
export const forgotten = { sample: { bodies: () => ({}) } } satisfies NodeList<Lists>;
// @ts-expect-error no bodies
export const withoutBodies = { sample: { doctor: [] } } satisfies NodeList<Lists>;
// @ts-expect-error not in the list
export const absent = {} satisfies NodeList<Lists>;
declare const aShelf: ReturnType<OpenTarget>;
type Shelves = { readonly sample: { readonly targets: { readonly shelf: object } } };
export const opened = { sample: { targets: { shelf: () => aShelf } } } satisfies NodeList<Shelves>;
// @ts-expect-error nobody opens a shelf
export const closed = { sample: { targets: {} } } satisfies NodeList<Shelves>;
// @ts-expect-error not in the list
export const unlisted = {} satisfies NodeList<Shelves>;
