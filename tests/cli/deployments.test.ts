import { worker } from '../../src/cli/commands/worker.js';
import { buildChecks } from '../../src/cli/deployments/checks.js';
import type { ServicesPort } from '../../src/cli/ports.js';
import type { Build, DeploymentView } from '../../src/client/index.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import { aProblem } from '../engine/a-skeleton.js';
import { fakeClient, fakeIo, fakePorts } from './fake-ports.js';

const HERE = 'b2b2'; // the build of the checkout, by fakePorts
const aBuild = (over: Partial<Build> = {}): Build => ({
  ...{ deployment: 'releases', build: HERE, state: 'new', sinceMs: 0, workers: 1, open: 0 },
  ...over,
});
const OLD = aBuild({ build: 'a1a1', state: 'current', open: 3 });

function world(builds: readonly Build[], services: Partial<ServicesPort> = {}) {
  const sent: unknown[] = [];
  const view: DeploymentView = { builds, unversioned: [] };
  const deployments = {
    read: async () => view,
    current: async ({ build }: Build) => void sent.push(build),
    ramp: async ({ build }: Build, percent: number) => void sent.push([build, percent]),
  };
  const ports = fakePorts({ client: { ...fakeClient([]), deployments } });
  const io = fakeIo();
  const say = async (name?: string, build?: string, options: Record<string, string | boolean> = {}) => {
    const all = { ...(await ports.services()), ...services };
    return worker
      .run({ args: { action: 'deployments', name, build }, options }, io, { ...ports, services: async () => all })
      .then(
        () => 'done',
        (error: SlipwayFailure) => `${error.first.code} ${error.first.message}`,
      );
  };
  return { say, sent, io };
}

test('given builds, then each is listed with its state and what comes next', async () => {
  const { say, io } = world([
    aBuild(),
    OLD,
    aBuild({ build: 'c3', state: 'ramping', percent: 20 }),
    aBuild({ build: 'd4', state: 'draining', open: 2 }),
    aBuild({ build: 'e5', state: 'draining', open: 2, workers: 0 }),
    aBuild({ build: 'f6', state: 'drained' }),
  ]);
  expect(await say()).toBe('done');
  expect(
    io.printed
      .join('\n')
      .split('\n')
      .map((line) => line.replace(/ {2,}/g, '  ')),
  ).toEqual([
    'DEPLOYMENT  BUILD  STATE  SINCE  WORKERS  OPEN  NEXT',
    'releases  b2b2  new  1970-01-01 00:00  1  0  `slipway worker deployments current b2b2 --deployment releases`',
    'releases  a1a1  current  1970-01-01 00:00  1  3',
    'releases  c3  ramping 20 %  1970-01-01 00:00  1  0',
    'releases  d4  draining  1970-01-01 00:00  1  2  keep its workers until it is drained',
    'releases  e5  draining  1970-01-01 00:00  0  2  start its worker: what it serves stands still',
    'releases  f6  drained  1970-01-01 00:00  1  0  its workers may be ended',
  ]);
});

test('given a served build of this checkout, then it becomes current, or ramps', async () => {
  const { say, sent } = world([aBuild(), OLD]);
  expect(await say('current')).toBe('done');
  expect(await say('ramp', 'b2', { percent: '12.5' })).toBe('done');
  expect(sent).toEqual([HERE, [HERE, 12.5]]);
});

test('given another build that ramps, when a build becomes current, then that ramp ends first', async () => {
  const others = [aBuild({ build: 'c3', state: 'ramping', percent: 9 }), aBuild({ deployment: 'x', state: 'ramping' })];
  const { say, sent } = world([aBuild(), ...others]);
  expect(await say('current', HERE, { deployment: 'releases' })).toBe('done');
  expect(sent).toEqual([['c3', 0], HERE]);
});

test('given a ramp of 0 %, then it ends, also without a worker; a build without a ramp is refused', async () => {
  const { say, sent } = world([aBuild({ build: 'c3', state: 'ramping', percent: 9, workers: 0 }), OLD]);
  expect(await say('ramp', 'c3', { percent: '0' })).toBe('done');
  expect(sent).toEqual([['c3', 0]]);
  expect(await say('ramp', 'a1', { percent: '0' })).toMatch(/^DEPLOYMENT_PERCENT a1a1 is current/);
});

test.each<[why: string, builds: readonly Build[], words: Parameters<ReturnType<typeof world>['say']>, refused: RegExp]>(
  [
    ['an unknown action', [], ['stop'], /^WORKER_ACTION_UNKNOWN "deployments stop"/],
    ['no deployment', [], ['current'], /^DEPLOYMENT_BUILD_UNKNOWN no worker has served/],
    ['an unknown build', [OLD], ['current', 'ff'], /^DEPLOYMENT_BUILD_UNKNOWN ff .*releases a1a1 \(current\)/],
    ['the build of two deployments', [aBuild(), aBuild({ deployment: 'x' })], ['current'], /^DEPLOYMENT_BUILD_UNKNOWN/],
    ['a build without a worker', [aBuild({ workers: 0 })], ['current'], /^DEPLOYMENT_NOT_SERVED/],
    ['another build', [aBuild(), OLD], ['current', 'a1'], /^DEPLOYMENT_BUILD_ELSEWHERE .*b2b2.*a1a1/],
    ['a ramp without a share', [aBuild()], ['ramp'], /^DEPLOYMENT_PERCENT/],
    ['a ramp over 100', [aBuild()], ['ramp', HERE, { percent: '101' }], /^DEPLOYMENT_PERCENT .*"101"/],
    ['a ramp below 0', [aBuild()], ['ramp', HERE, { percent: '-1' }], /^DEPLOYMENT_PERCENT .*"-1"/],
    ['a share without a ramp', [aBuild()], ['current', HERE, { percent: '5' }], /^DEPLOYMENT_PERCENT/],
  ],
)('given %s, then the command is refused and nothing changes', async (_, builds, words, refused) => {
  const { say, sent } = world(builds);
  expect(await say(...words)).toMatch(refused);
  expect(sent).toEqual([]);
});

test('given an open workflow that does not replay, then the build does not become current', async () => {
  const refuses = () => Promise.reject(fail(aProblem({ code: 'UPGRADE_DIVERGES' })));
  const { say, sent } = world([aBuild()], { assertUpgradeReplays: refuses });
  expect(await say('current')).toMatch(/^UPGRADE_DIVERGES/);
  expect(await say('ramp', HERE, { percent: '1' })).toMatch(/^UPGRADE_DIVERGES/);
  expect(sent).toEqual([]);
});

test.each([
  ['bad.name', 'workflows', /^DEPLOYMENT_INVALID/],
  ['releases', 'control', /^DEPLOYMENT_INVALID .*--queues/],
  ['releases', 'workflows', /^done/],
])('given --deployment %s for %s, then: %s', async (deployment, queues, answer) => {
  const ports = fakePorts();
  const said = worker.run({ args: { action: 'start' }, options: { queues, deployment } }, fakeIo(), ports).then(
    () => 'done',
    (error: SlipwayFailure) => `${error.first.code} ${error.first.message}`,
  );
  expect(await said).toMatch(answer);
});

test('given builds that do not serve as they should, then the doctor names each', () => {
  const two = ['workflows@a/1', 'workflows@b/1'];
  const details = (view: DeploymentView) => buildChecks(view).map(({ detail }) => detail);
  expect(details({ builds: [], unversioned: two })).toEqual([]);
  expect(details({ builds: [OLD], unversioned: two })).toEqual([expect.stringMatching(/@a.*@b.* no workflow/)]);
  expect(details({ builds: [OLD, aBuild({ state: 'draining', workers: 0, open: 2 })], unversioned: [] })).toEqual([
    expect.stringMatching(/no worker serves build b2b2 of releases, and 2 open runs/),
  ]);
});
