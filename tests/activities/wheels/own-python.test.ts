/** @needs tools compiler */
import { insideOf, pythonInside } from '../../../src/activities/wheels/own-python.js';
import type { BuildLocation } from '../../../src/activities/wheels/builders.js';
import type { Body, Work } from '../../../src/activities/work.js';
import type { Interpreter } from '../../../src/activities/pythons/ports.js';
import { runBody } from '../../support/run-body.js';
import { wheelStep } from './fixture.js';

const where = { in: 'container', base: 'bases/of-platform/debian-13' } as const;

/** Runs a body whose container is this machine.
 * @param status exit status of every program, in place of running it */
async function inside<T>(use: (work: Work<'buildWheel'>, place: BuildLocation) => Promise<T>, status?: number) {
  let answer: T | undefined;
  const body: Body<'buildWheel'> = async (work) => {
    const run: BuildLocation['run'] = async (argv, options) => status ?? (await work.exec(argv, options)).code;
    answer = await use(work, { run });
    return { artifacts: [], note: '' };
  };
  await runBody(body, wheelStep({ ownPython: true, where }));
  return answer!;
}

/** @param status as in `inside` */
const found = (tag: string | null = null, status?: number): Promise<Interpreter> =>
  inside((work, place) => pythonInside(work, place, { base: where.base, tag }), status);

test('given a base with Python, then its Python builds, with its own tag and prefix', async () => {
  const { tag, path, version } = await found();
  expect(tag).toBe(`cp${version.split('.').slice(0, 2).join('')}`);
  expect(path).toMatch(/python3/);
});

test('given a base of another release, then its Python is named beside the one of the step', async () => {
  await expect(found('cp37')).rejects.toMatchObject({
    first: { code: 'BASE_PYTHON_DIFFERS', message: expect.stringMatching(/debian-13 is cp3\d+, .* cp37/) },
  });
});

test('given a base without Python, then that is the problem', async () => {
  await expect(found(null, 127)).rejects.toMatchObject({
    first: { code: 'BASE_PYTHON_ABSENT', class: 'config', message: expect.stringContaining(where.base) },
  });
});

test('given a program of the environment that fails in the container, then the build fails with its name', async () => {
  const venv = (work: Work<'buildWheel'>, place: BuildLocation) =>
    insideOf(work, place).must(['uv', 'venv', '/nowhere']);
  await expect(inside(venv, 2)).rejects.toMatchObject({
    first: { code: 'BUILD_FAILED', message: expect.stringContaining('uv venv nowhere') },
  });
});
