/** @long @needs tools compiler */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { newHome, runBody } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aSource, bodies, C_PROJECT, EPOCH, handmade, wheelStep } from './fixture.js';

const SAIL = `#include <Python.h>
#include <stdexcept>
#include <string>
static PyObject *tear(PyObject *, PyObject *) {
  try { throw std::runtime_error(std::string("torn at ") + __FILE__); }
  catch (const std::exception &e) { PyErr_SetString(PyExc_RuntimeError, e.what()); return nullptr; }
}
static PyMethodDef methods[] = {{"tear", tear, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
static struct PyModuleDef sail = { PyModuleDef_HEAD_INIT, "_sail", nullptr, -1, methods };
PyMODINIT_FUNC PyInit__sail(void) { return PyModule_Create(&sail); }
`;
/** CMake names sources by their absolute paths, setuptools only where it is told so. */
const PROJECT = {
  ...C_PROJECT,
  'setup.py': `import os
from setuptools import Extension, setup
sail = Extension("skiff._sail", [os.path.abspath("sail.cpp")])
setup(name="skiff", version="1.2", packages=["skiff"], ext_modules=[sail])
`,
  'sail.cpp': SAIL,
};
const FLAGS = { CFLAGS: '-O2 -g0', LDSHARED: 'gcc -shared -Wl,--build-id=none' };
const BY_HAND = { builder: 'command', env: { OUT: '{out}' } } as const;

type Options = Parameters<typeof runBody>[2];
async function build(more: Parameters<typeof wheelStep>[0], options: Options = {}, files: object = PROJECT) {
  const home = options.home ?? (await homeWithCache());
  const inputs = [await aSource(home, files as typeof C_PROJECT)];
  return runBody(bodies.buildWheel, wheelStep(more), { home, inputs, epoch: EPOCH, ...options });
}
const codes = async (made: ReturnType<typeof build>): Promise<readonly string[]> =>
  made.then(
    ({ made: { findings = [] } }) => findings.map(({ level, code }) => `${level} ${code}`),
    (error: { problems: { code: string }[] }) => error.problems.map(({ code }) => `refused ${code}`),
  );

describe('a C++ extension whose exceptions carry __FILE__', () => {
  test('given flags without debug information, then it has only a note, and no folder of this machine in its wheel', async () => {
    const run = await build({ env: FLAGS });
    const notes = run.made.findings!.filter(({ code }) => code === 'SOURCE_PATH');
    expect(notes).toMatchObject([{ level: 'note', why: expect.stringContaining('sail.cpp') }]);
    const wheel = join(mkdtempSync(join(tmpdir(), 'slipway-wheel-')), 'a.whl');
    await run.around.store.fetch(run.made.artifacts[0]!.digest, wheel);
    const library = execFileSync('unzip', ['-p', wheel, 'skiff/_sail*'], { encoding: 'latin1' });
    expect(library).toContain('/usr/local/src/work/tree/sail.cpp');
    expect(library).not.toContain(run.home);
  });

  test('given another folder and another attempt, then its bytes are the same', async () => {
    const one = await build({ env: FLAGS }, { home: await newHome() });
    const two = await build({ env: FLAGS }, { home: await newHome(), attempt: 12 });
    expect(two.made.artifacts).toEqual(one.made.artifacts);
  });

  test('given a machine without a sandbox, then it has a note', async () => {
    const home = await homeWithCache();
    const programs = createPrograms({ running: join(home, 'running'), sandbox: 'for this test' });
    const plan = { isolation: 'none' } as const;
    expect(await codes(build({ env: FLAGS }, { home, plan, surroundings: { programs } }))).toContain(
      'note SOURCE_PATH',
    );
  });
});

test.each([
  ['a run path', { env: { LDSHARED: 'gcc -shared -Wl,-rpath,/usr/local/src/work/venv/lib' } }, 'refused RUNPATH'],
  [
    'the interpreter of a script',
    {
      ...BY_HAND,
      run: handmade({ 'skiff-1.2.data/scripts/skiff': '#!@HERE@/../venv/bin/python\n' }),
    },
    'refused BUILDER_PATH',
  ],
  [
    'a text file',
    { ...BY_HAND, run: handmade({ 'skiff/config.py': 'DATA = "@HERE@/data"\n' }) },
    'refused BUILDER_PATH',
  ],
  [
    'a folder in an object',
    {
      ...BY_HAND,
      run: `echo 'const char *data = DATA;' > d.c; gcc -shared -fPIC -DDATA="\\"$PWD/data\\"" -o d.so d.c\n${handmade({ 'skiff/d.so': '@FILE d.so' }, 'cp312-cp312-manylinux_2_34_x86_64')}`,
    },
    'refused BUILDER_PATH',
  ],
])('given the build folder in %s, then it is an error', async (_, more, code) => {
  expect(await codes(build(more, {}, C_PROJECT))).toContain(code);
});
