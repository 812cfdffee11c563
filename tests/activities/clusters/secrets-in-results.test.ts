import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { records } from '../../../src/model/run-folder.js';
import type { Outcome } from '../../../src/model/tests/outcome.js';
import { rayParams } from '../../support/a-cluster-test.js';
import { aStep, newHome, RUN, runBody } from '../../support/run-body.js';
import { fakeClusters } from './fake-cluster.js';

const CANARY = 'canary-4711';
const LINES = { up: '', nodes: '', put: '', get: '', run: '', down: '' };

test('given a test that writes its secrets into the result, then the outcome has their names instead', async () => {
  const result = { text: `token=${CANARY}`, [CANARY]: 1, env: [{ TOKEN: CANARY }], rate: 12.5 };
  const { clusters } = fakeClusters({
    answers: {
      run: (_, folder) => {
        writeFileSync(join(folder, 'out', 'result.json'), JSON.stringify(result));
        return 0;
      },
    },
  });
  const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters });
  const cluster = { ...rayParams().cluster, manager: { by: 'command', lines: LINES } } as const;
  const params = rayParams({ cluster, result: 'r.json', env: { TOKEN: '$CANARY_TOKEN' } });
  const home = await newHome();
  await runBody(runOnCluster, aStep('runOnCluster', params, { id: 'tests/spread' }), {
    home,
    surroundings: { env: { ...process.env, CANARY_TOKEN: CANARY } },
  });
  const record = records.outcome('skiff', RUN, 'spread', 1, 1);
  const outcome = await createDirectoryStore(join(home, 'store')).read<Outcome>(record);
  expect(outcome!.results).toEqual({
    text: 'token=$CANARY_TOKEN',
    $CANARY_TOKEN: 1,
    env: [{ TOKEN: '$CANARY_TOKEN' }],
    rate: 12.5,
  });
});
