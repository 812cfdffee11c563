/** @needs tools */
import { toolAbsent } from '../../../src/activities/prove-queue/errors.js';
import { libcName, machineName } from '../../../src/activities/prove-queue/measure.js';
import type { Params } from '../../../src/model/params.js';
import { aStep, runBody } from '../../support/run-body.js';
import { bodies } from '../wheels/fixture.js';

const step = (more: Partial<Params['proveQueue']> = {}) =>
  aStep('proveQueue', { queue: 'control', tools: ['uv', 'gcc'], pythons: ['cp312'], can: [], diskMiB: 1, ...more });

test('given a queue, then its tools and Pythons are measured, with the same toolchain digest each time and no path', async () => {
  const [one, two] = [await runBody(bodies.proveQueue, step()), await runBody(bodies.proveQueue, step())];
  expect(one.made.facts).toEqual(two.made.facts);
  expect(one.made.facts).toMatchObject({
    toolchain: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    tools: { uv: expect.stringMatching(/^\d/), gcc: expect.stringMatching(/^\d/) },
    pythons: { cp312: expect.stringMatching(/^3\.12\./) },
  });
  expect(JSON.stringify(one.made.facts)).not.toContain('/');
});

test('given Linux, then the name and version of its C library are read; elsewhere they are null', () => {
  const said = process.platform === 'linux' ? /^glibc \d+\.\d+$/ : /^null$/;
  expect(String(libcName())).toMatch(said);
});

test('given several missing things, then all are reported at once, each with a fix', async () => {
  const other = machineName() === 'linux-aarch64' ? 'linux-x86_64' : 'linux-aarch64';
  const asked = step({
    queue: other,
    tools: ['no-such-tool', 'constructor'],
    pythons: ['cp299'],
    diskMiB: Number.MAX_SAFE_INTEGER,
  });
  await expect(runBody(bodies.proveQueue, asked)).rejects.toMatchObject({
    problems: [
      { code: 'MACHINE_DIFFERS' },
      { code: 'DISK_LOW' },
      { code: 'TOOL_ABSENT' },
      { code: 'TOOL_ABSENT' },
      { code: 'PYTHON_ABSENT' },
    ],
  });
});

test.each(['java', 'javac', 'mvn'])(
  'given JARs and a queue without %s, then the package that has it is named',
  (tool) => {
    expect(toolAbsent(tool, 'linux-x86_64')).toMatchObject({
      ...{ code: 'TOOL_ABSENT', message: `workers of linux-x86_64 have no ${tool}` },
      next: expect.stringMatching(/apt-get install (openjdk-17|maven)/) as string,
    });
  },
);

test('given a queue of specs without Spack, then the problem has the queue, the number of its specs, and the variable', async () => {
  const specs = ['keel', 'hull'].map((name) => ({ id: `specs/${name}`, kind: 'buildSpec', on: 'control' }));
  const elsewhere = { id: 'specs/mast', kind: 'buildSpec', on: 'big' };
  const plan = { steps: [...specs, elsewhere] as never };
  const surroundings = { env: { ...process.env, SLIPWAY_SPACK: undefined } };
  await expect(runBody(bodies.proveQueue, step({ tools: ['spack'] }), { plan, surroundings })).rejects.toMatchObject({
    problems: [
      {
        code: 'SPACK_ABSENT',
        message: 'workers of control have no Spack, and 2 specs would be built there',
        next: expect.stringContaining('Set SLIPWAY_SPACK to a checkout') as string,
      },
    ],
  });
});

test.each([
  ['linux', 'x64', 'linux-x86_64'],
  ['linux', 'arm64', 'linux-aarch64'],
  ['darwin', 'arm64', 'macos-arm64'],
])('given %s on %s, then the machine is %s', (system, cpu, name) => expect(machineName(system, cpu)).toBe(name));
