/** @needs tools sandbox */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeVenv } from '../../src/activities/step/uv.js';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import type { Body } from '../../src/activities/work.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import type { Artifact } from '../../src/model/artifact.js';
import { anArtifact, aResult, aStep, newHome, runBody } from '../support/run-body.js';
import { archive, MAKE_WHEEL } from '../support/tiny-projects.js';

const COMMAND = { run: 'true', env: {}, folder: '.', where: { in: 'host' }, outputs: [], expect: null } as const;

/** Installs a wheel into a fresh venv through the shared cache, runs a line there, and returns what it printed. */
const installThen =
  (wheel: Artifact, line: string): Body<'runCommand'> =>
  async (work) => {
    const venv = join(work.folder, 'venv');
    await makeVenv(work, 'python3', venv);
    const file = await work.fetch(wheel, work.folder);
    const install = ['uv', 'pip', 'install', '--quiet', '--no-config', '--no-index', '--python', venv, file];
    await work.must(install, { access: 'fetch' });
    return { artifacts: [], note: await work.capture([join(venv, 'bin', 'python'), '-c', line]) };
  };

const IMPORT = 'import sail; print(sail.__file__)';
const POISON = `${IMPORT}
with open(sail.__file__, 'r+') as module: module.write('print("poisoned") #')`;

test("[H1] given a build that alters an installed file, then the next build gets the wheel's own bytes", async () => {
  const home = await newHome();
  await writeFile(join(home, 'make.py'), MAKE_WHEEL);
  execFileSync('python3', [join(home, 'make.py'), home, 'sail', '1.0', 'print("sound, and longer than poison")']);
  const file = 'sail-1.0-py3-none-any.whl';
  const wheel = await anArtifact(home, file, await readFile(join(home, file)));
  const build = (line: string) => runBody(installThen(wheel, line), aStep('runCommand', COMMAND), { home });

  const poisoned = await build(POISON);
  const next = await build(IMPORT);

  expect(poisoned.made.note).toMatch(/^sound/);
  expect(next.made.note).toMatch(/^sound/);
});

/** The build backend of an sdist that leaves a program in the place of the environment's Python: uv asks that for its version. */
const BACKEND = `import os, sys
def build_wheel(folder, *_):
    python = os.path.join(os.path.dirname(os.environ['HOME']), 'work', 'venv', 'bin', 'python')
    os.rename(python, python + '-own')
    open(python, 'w').write('#!/bin/sh\\necho poison > "$UV_CACHE_DIR/poison"\\nexec "$0-own" "$@"\\n')
    os.chmod(python, 0o755)
    sys.argv = ['make', folder, 'evil', '1.0', '# nothing']
    exec(${JSON.stringify(MAKE_WHEEL)}, {})
    return 'evil-1.0-py3-none-any.whl'
`;
const BUILD = '[build-system]\nrequires = []\nbuild-backend = "evil"\nbackend-path = ["."]\n';
const SDIST = archive([
  { name: 'evil-1.0/pyproject.toml', text: `${BUILD}[project]\nname = "evil"\nversion = "1.0"\n` },
  { name: 'evil-1.0/PKG-INFO', text: 'Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n' },
  { name: 'evil-1.0/evil.py', text: BACKEND },
]);

test('[C3] given a package that replaces Python before the next lock is installed, then it cannot write into the shared cache', async () => {
  const home = await newHome();

  for (const name of ['mast', 'sail']) execFileSync('python3', ['-c', MAKE_WHEEL, home, name, '1.0', '# nothing']);
  await writeFile(join(home, 'evil-1.0.tar.gz'), SDIST);
  const server = createServer((request, answer) => answer.end(readFileSync(join(home, request.url!))));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    const lock = async (name: string, file: string) => {
      const { digest } = await anArtifact(home, file, readFileSync(join(home, file)));
      const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${file}`;
      const line = `${name} @ ${at} --hash=${digest}\n`;
      return anArtifact(home, `${name}.txt`, line, { kind: 'lock', labels: { python: 'cp311' } });
    };
    const sail = 'sail-1.0-py3-none-any.whl';
    const wheel = await anArtifact(home, sail, readFileSync(join(home, sail)), {
      kind: 'wheel',
      labels: { python: 'none' },
    });
    const inputs = [
      aResult(
        { id: 'deps', kind: 'compileLock' },
        { artifacts: [await lock('evil', 'evil-1.0.tar.gz'), await lock('mast', 'mast-1.0-py3-none-any.whl')] },
      ),
      aResult({ id: 'wheels', kind: 'buildWheel' }, { artifacts: [wheel] }),
    ];
    const programs = createPrograms({ running: join(home, 'running') });
    const { runTest } = makeBodies(['runTest'], { programs, archives: createArchives(), containers: null });
    const params = {
      in: 'venv',
      run: 'true',
      env: {},
      python: 'cp311',
      expect: null,
      result: null,
      artifacts: [],
    };
    mkdirSync(join(home, 'cache'), { recursive: true });
    await runBody(runTest, aStep('runTest', params as never), { home, inputs, surroundings: { programs } });
    expect(existsSync(join(home, 'cache', 'uv', 'poison'))).toBe(false);
  } finally {
    server.close();
  }
});
