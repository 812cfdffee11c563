import { join } from 'node:path';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import { readOutcomes } from '../../../src/activities/read-outcomes.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { Artifact } from '../../../src/model/artifact.js';
import { records } from '../../../src/model/run-folder.js';
import { rayParams } from '../../support/a-cluster-test.js';
import { aResult, aStep, newHome, RUN, runBody } from '../../support/run-body.js';
import { fakeClusters } from './fake-cluster.js';

const DIGEST = `sha256:${'d'.repeat(64)}` as const;
const IMAGE: Artifact = {
  ...{ kind: 'image', name: 'own', digest: DIGEST, size: 1 },
  labels: { repository: 'skiff/own', oci: 'linux/amd64' },
};
const image = aResult(aStep('buildImage', {} as never, { id: 'images/own' }), { artifacts: [IMAGE], note: '' });

test('given a test that needs an image, when it runs, then its nodes run from the image, no environment is made, and the outcome has its digest', async () => {
  const { clusters, requests, calls } = fakeClusters({});
  const { runOnCluster } = makeBodies(['runOnCluster'], { archives: createArchives(), clusters });
  const manager = { by: 'docker', base: 'images/own', memoryMiB: null, ray: '/opt/ray' } as const;
  const params = rayParams({ cluster: { ...rayParams().cluster, manager } });
  const home = await newHome();
  await runBody(runOnCluster, aStep('runOnCluster', params, { id: 'tests/spread' }), {
    home,
    inputs: [image],
    surroundings: { service: () => '127.0.0.1:5001' },
  });
  expect(calls).toContain('up');
  expect(requests[0]).toMatchObject({
    venv: '/opt/ray',
    containers: { image: expect.stringMatching(new RegExp(`/skiff/own@${DIGEST}$`)), readOnly: [expect.any(String)] },
  });
  const { outcomes } = await readOutcomes(createDirectoryStore(join(home, 'store')), records.outcomes('skiff', RUN));
  expect(outcomes[0]!.outcome.tested).toEqual([{ name: 'own', digest: DIGEST }]);
});
