/** @needs tools sandbox */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { aSource, bodies, EPOCH, wheelStep } from '../activities/wheels/fixture.js';
import { newHome, runBody } from '../support/run-body.js';

const CANARY = 'canary-of-the-home-77d0';

/** Builds a wheel with a lock of its own. The project replaces the program that asks its backend: `answer` is Python, in which `folder`
 * is that of the lock, `to` the file of the answer, and `keys` a folder outside. */
async function locked(
  answer: string,
): Promise<{ readonly said: string; readonly keys: Readonly<Record<string, string>> }> {
  const home = await newHome();
  const keys = join(home, 'keys');
  mkdirSync(keys);
  writeFileSync(join(keys, 'control.key'), JSON.stringify([CANARY]));
  const inputs = [
    await aSource(home, {
      'pyproject.toml': '[build-system]\nrequires = []\nbuild-backend = "own"\n',
      'build.py': `import atexit, json, os, sys
class ProjectBuilder:
    def __init__(self, *args, **more):
        self.build_system_requires = []
    def get_requires_for_build(self, what):
        to, keys = sys.argv[-1], ${JSON.stringify(keys)}
        folder = os.path.dirname(to)
        def swap(path, target):
            if os.path.lexists(path):
                os.remove(path)
            os.symlink(target, path)
        ${answer}
`,
    }),
  ];
  const programs = createPrograms({ running: join(home, 'running') });
  const step = wheelStep({ lock: { requires: [], cutoff: null } });
  const ran = runBody(bodies.buildWheel, step, { home, inputs, epoch: EPOCH, surroundings: { programs } });
  const said = await ran.then(
    () => 'built',
    (error: { problems?: unknown }) => JSON.stringify(error.problems ?? String(error)),
  );
  return {
    said,
    keys: Object.fromEntries(readdirSync(keys).map((name) => [name, readFileSync(join(keys, name), 'utf8')])),
  };
}

const UNTOUCHED = { 'control.key': JSON.stringify([CANARY]) };
const LIST = '"skiff-1.2-cp312-linux-x86_64.build.txt.in"';

test.each([
  ['a link to a key', `swap(os.path.join(folder, ${LIST}), keys + "/control.key"); return ["pip<0"]`],
  ['a link to a new file', `swap(os.path.join(folder, ${LIST}), keys + "/new"); return ["pip<0"]`],
])(
  '[C3] given a backend that leaves %s for the list of requirements, then nothing is written through it',
  async (_, act) => {
    const { said, keys } = await locked(act);
    expect(keys).toEqual(UNTOUCHED);
    expect(said).toContain('BUILD_UNSOLVABLE');
  },
);

test.each([
  ['a link to a key', 'atexit.register(swap, to, keys + "/control.key"); return []', 'LINK_LEADS_OUT'],
  ['a pipe', 'atexit.register(os.mkfifo, to); atexit.register(os.remove, to); return []', 'BUILD_REQUIRES_FAILED'],
  ['endless zeros', 'atexit.register(swap, to, "/dev/zero"); return []', 'LINK_LEADS_OUT'],
  ['numbers', 'return [1]', 'BUILD_REQUIRES_FAILED'],
])(
  '[C3] given a backend that leaves %s for its answer, then it is not read, and no word has the key',
  async (_, act, code) => {
    const { said } = await locked(act);
    expect(said).toContain(code);
    expect(said).not.toContain(CANARY);
  },
);

test.each([
  ['another index', '--index-url http://127.0.0.1:1/simple'],
  ['another index behind a line end', 'evil\\n--extra-index-url http://127.0.0.1:1/simple'],
  ['a variable of the worker', 'evil @ http://127.0.0.1:1/${UV_DEFAULT_INDEX}/evil.whl'],
])('[M7] given a backend that asks for %s, then uv is not asked', async (_, asked) => {
  const { said } = await locked(`return [${JSON.stringify(asked).replace('\\\\n', '\\n')}]`);
  expect(said).toContain('BUILD_REQUIRES_FAILED');
  expect(said).toContain('is no requirement');
});
