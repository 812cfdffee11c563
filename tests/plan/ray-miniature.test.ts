import { join } from 'node:path';
import { gatherFacts } from '../../src/adapters/facts/index.js';
import { colours } from '../../src/cli/render/paint.js';
import { planLines } from '../../src/cli/screens/plan.js';
import { planFault } from '../../src/model/schema/plan.js';
import { plan } from '../../src/plan/plan.js';
import { withoutUnserved } from '../../src/plan/unserved.js';
import { expectGolden } from '../support/golden.js';
import { NO_RUNS } from '../support/no-runs.js';

const ROOT = join(__dirname, '..', '..');

/** As if the commit that holds it were always the same one. */
const made = gatherFacts('examples/ray', 'local', ROOT, {}, NO_RUNS).then(({ file, facts }) =>
  plan(file, { ...facts, git: { ...facts.git!, commit: '0'.repeat(40), branch: 'main' } }),
);

describe('the example ray, a miniature of its release', () => {
  test('when its plan is printed, then the table matches the golden file', async () => {
    expect(planFault(await made)).toBeNull();
    const lines = planLines(await made, `sha256:${'0'.repeat(64)}`, colours(false));
    expectGolden('plan/ray-miniature.txt', `${lines.join('\n')}\n`);
  });

  test('given one machine, then only tests and verifications of the other are dropped', async () => {
    const { plan: left, refused } = withoutUnserved(await made, ['linux-aarch64', 'macos-arm64']);
    expect(refused).toEqual([]);
    const stages = new Set(left.dropped.map(({ id }) => id.split('/')[0]));
    expect([...stages].sort()).toEqual(['tests', 'verify']);
    expect(left.effects).toEqual((await made).effects);
  });

  test('given no policy of another home, then nobody is asked, and every target is a service of this one', async () => {
    const { steps } = await made;
    expect(steps.filter(({ kind }) => kind === 'passGate')).toEqual([]);
    const targets = steps.flatMap((step) => (step.kind === 'publishArtifacts' ? [step.params.target.address] : []));
    expect([...new Set(targets)].sort()).toEqual(['service:index', 'service:maven', 'service:registry']);
  });
});
