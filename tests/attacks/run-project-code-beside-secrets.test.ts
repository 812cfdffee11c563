/** @needs sandbox */
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { records } from '../../src/model/run-folder.js';
import type { Result } from '../../src/model/result.js';
import { buildEnv } from '../../src/services/catalog/build-env.js';
import { failureOf, world } from '../activities/step/a-world.js';
import { HEAD, planOf, problemsOf } from '../plan/a-plan.js';
import { aStep, newHome } from '../support/run-body.js';

const COMMAND = { env: {}, folder: '.', where: { in: 'host' }, outputs: [], expect: null } as const;
const stepThat = (run: string) => aStep('runCommand', { ...COMMAND, run });
const programs = createPrograms({ running: '/nonexistent/running' });
const bodies = (own = programs) =>
  makeBodies(['runCommand'], { programs: own, archives: createArchives(), containers: null });

describe('[C3] project code on a worker that holds credentials', () => {
  test('given a release file that asks for it, then it is refused', () => {
    const file = `${HEAD}publish:\n  index: { kind: python, files: [wheels/skiff] }\nwheels:\n  skiff: { on: control }\n`;
    expect(problemsOf(file)).toContainEqual(
      expect.objectContaining({ code: 'PROJECT_CODE_ON_CONTROL', path: 'wheels.skiff.on' }),
    );
  });

  test('given a foreign plan that asks for it, then the worker refuses', async () => {
    const { perform } = await world(stepThat('echo ran'), { around: { servesControl: true } });
    const { details } = await failureOf(perform(bodies().runCommand as never));
    expect(details.problems).toMatchObject([{ code: 'PROJECT_CODE_ON_CONTROL', class: 'config' }]);
  });

  test('given a build worker, then it inherits no credential of the shell that started it', () => {
    const shell = {
      PATH: '/usr/bin',
      HOME: '/home/ann',
      PYPI_TOKEN: 'x',
      SLIPWAY_INDEX_PASSWORD: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    };
    expect(buildEnv(shell)).toEqual({ PATH: '/usr/bin', HOME: '/home/ann' });
    const asked = buildEnv({ ...shell, SLIPWAY_BUILD_ENV: 'PYPI_TOKEN', SLIPWAY_STORE: 's3://releases/a' });
    expect(asked).toMatchObject({ PYPI_TOKEN: 'x', AWS_SECRET_ACCESS_KEY: 'x' });
    expect(asked).not.toHaveProperty('SLIPWAY_INDEX_PASSWORD');
  });
});

describe('[C3] a worker without a sandbox', () => {
  const without = { ...programs, noSandbox: 'bubblewrap is not there' };

  test("given a project's program, then it does not run, and the problem says what to install", async () => {
    const { perform } = await world(stepThat('echo ran'), { around: { programs: without } });
    const { details } = await failureOf(perform(bodies(without).runCommand as never));
    expect(details.problems).toMatchObject([
      { code: 'SANDBOX_ABSENT', message: expect.stringContaining('bubblewrap is not there') },
    ]);
  });

  test('given its queue, then the proof asks for a sandbox, unless the release file says `isolation: none`', () => {
    const file = `${HEAD}wheels:\n  skiff: {}\npublish:\n  index: { kind: python, files: [wheels/skiff] }\n`;
    const can = (text: string) => planOf(text).steps.find(({ id }) => id === 'prove/queue/linux-x86_64')!.params;
    expect(can(file)).toMatchObject({ can: ['sandbox'] });
    expect(can(`isolation: none\n${file}`)).toMatchObject({ can: [] });
    expect(planOf(`isolation: none\n${file}`).isolation).toBe('none');
  });
});

test.each([
  ['sandbox', {}, {}],
  ['none', { noSandbox: 'for this test' }, { isolation: 'none' as const }],
])('given a program, then its result states the isolation level: %s', async (level, more, plan) => {
  const home = await newHome();
  const own = {
    ...createPrograms({ running: `${home}/running`, ...(level === 'none' && { sandbox: 'for this test' }) }),
    ...more,
  };
  const { around, perform } = await world(stepThat('true'), { plan, around: { programs: own } });
  await perform(bodies(own).runCommand as never);
  const result = await around.store.read<Result>(records.result('run-0001', 'steps/runCommand'));
  expect(result!.made.isolation).toBe(level);
});

test('given a program without the network that looks up a server, then the problem says how to allow it, without retries', async () => {
  const { perform } = await world(
    stepThat('python3 -c "import urllib.request as u; u.urlopen(\'http://nowhere.invalid\')"'),
  );
  const { details } = await failureOf(perform(bodies().runCommand as never));
  expect(details.problems).toMatchObject([
    { code: 'NETWORK_REFUSED', class: 'config', next: expect.stringContaining('network: true') },
  ]);
});

test('given a program without the network whose connection is refused, then the problem names the key and keeps its code', async () => {
  const { perform } = await world(stepThat('python3 -c "import socket; socket.create_connection((\'127.0.0.1\', 1))"'));
  const { details } = await failureOf(perform(bodies().runCommand as never));
  expect(details.problems).toMatchObject([
    { code: 'STEP_COMMAND_FAILED', class: 'product', next: expect.stringMatching(/slipway logs .*network: true/) },
  ]);
});
