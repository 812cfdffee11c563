/** @needs tools */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeVenv } from '../../src/activities/step/uv.js';
import type { Body } from '../../src/activities/work.js';
import type { Artifact } from '../../src/model/artifact.js';
import { anArtifact, aStep, newHome, runBody } from '../support/run-body.js';
import { MAKE_WHEEL } from '../support/tiny-projects.js';

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

test('[H1] a build writes into an installed file in place: the next build gets the bytes of the wheel', async () => {
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
