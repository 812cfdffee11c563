import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openPorts } from '../../src/cli/open-ports.js';
import type { Body } from '../../src/activities/work.js';
import { anArtifact, aResult, aStep, newHome, runBody } from '../support/run-body.js';

const NAMES = ['../../evil', '/tmp/evil', 'a/../../evil', '..', 'a\\..\\evil', '-o', 'evil\u202elhw.sh'];

test.each(NAMES)('[H7] given an artifact named %j, when a step fetches it, then nothing is written', async (name) => {
  const home = await newHome();
  const artifact = await anArtifact(home, name, 'evil');
  const input = aResult({ id: 'steps/a', kind: 'runCommand' }, { artifacts: [artifact] });
  const body: Body<'runCommand'> = async (work) => {
    await work.fetch(work.artifacts('file')[0]!, work.folder);
    return { artifacts: [], note: '' };
  };
  const before = readdirSync(home);
  const ran = runBody(body, aStep('runCommand', {} as never), { home, inputs: [input] });
  await expect(ran).rejects.toMatchObject({ first: { code: 'ARTIFACT_NAME_REFUSED', class: 'denied' } });
  expect(readdirSync(home).filter((entry) => !['work', ...before].includes(entry))).toEqual([]);
});

test.each(NAMES)(
  '[H7] given an artifact named %j, when `slipway artifacts get` saves it, then nothing is written',
  async (name) => {
    const home = await newHome();
    const { digest } = await anArtifact(home, name, 'evil');
    const folder = join(home, 'a', 'b', 'out');
    mkdirSync(join(home, 'a', 'b'), { recursive: true });
    const [before] = [process.env['SLIPWAY_HOME']];
    process.env['SLIPWAY_HOME'] = home;
    try {
      await expect(openPorts().save(digest, folder, name)).rejects.toMatchObject({
        first: { code: 'ARTIFACT_NAME_REFUSED' },
      });
    } finally {
      if (before === undefined) delete process.env['SLIPWAY_HOME'];
      else process.env['SLIPWAY_HOME'] = before;
    }
    expect([existsSync(folder), existsSync(join(home, 'a', 'evil'))]).toEqual([false, false]);
  },
);
