/** @needs temporal sandbox */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChain } from '../../src/activities/standings/chain.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { BisectStatus } from '../../src/model/bisect.js';
import { CONTROL, PIPELINE_WORKFLOW } from '../../src/model/ids.js';
import { git } from '../support/a-line-of-commits.js';
import { aWorldWith, type CanaryWorld } from './a-canary.js';
import { aNight } from './a-night.js';

/** The test of this pipeline fails from the commit on in which the file `number` holds 1. */
const file = (label: string): string =>
  aNight(
    'heron',
    label,
    'test "$(cat "$(find . -name number | head -n 1)")" -lt 1',
    `tests: { spread: { cluster: far, by: command, folder: ., run: 'true', owner: core } }
standings: { branch: main, bisect: start }
`,
  );

let world: CanaryWorld;
beforeAll(async () => {
  world = await aWorldWith('none');
});
afterAll(() => world?.close());

test('given a test that turns failing, then its bisect starts by itself, and the next night has the blame', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-heron-')));
  const path = join(folder, 'release', 'slipway.yaml');
  mkdirSync(join(folder, 'release'));
  git(folder, 'init', '-q', '-b', 'main');
  const { workflow } = world.env.client;
  const night = async (label: string, number: number): Promise<string> => {
    writeFileSync(join(folder, 'number'), String(number));
    writeFileSync(path, file(label));
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', label);
    const handle = await workflow.start(PIPELINE_WORKFLOW, {
      ...{ taskQueue: CONTROL, workflowId: `pipeline/heron/${label}`, args: [{ file: path }] },
    });
    await handle.result().catch(() => undefined);
    return git(folder, 'rev-parse', 'HEAD');
  };
  await night('n1', 0);
  const bad = await night('n2', 1);
  const bisect = workflow.getHandle(`bisect/heron/spread/${bad.slice(0, 8)}`);
  expect((await bisect.result()) as BisectStatus).toMatchObject({
    answer: { answer: 'blamed', commit: 1, repeats: 1 },
  });
  await night('n3', 2);

  const { last } = await readChain(createDirectoryStore(join(world.home, 'store')), {
    ...{ pipeline: 'heron', profile: 'local', branch: 'main' },
  });
  expect(last!.nights.map(({ label }) => label)).toEqual(['n1', 'n2', 'n3']);
  expect(last!.tests['spread']).toMatchObject({ letters: 'PFF', state: 'consistently failing', blamed: bad });
});
