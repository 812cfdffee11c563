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
const made = gatherFacts('examples/skiff', 'local', ROOT, {}, NO_RUNS).then(({ file, facts }) =>
  plan(file, { ...facts, git: { ...facts.git!, commit: '0'.repeat(40), branch: 'main' } }),
);

describe('the example skiff, for three kinds of machines', () => {
  test('when its plan is printed, then the table matches the golden file', async () => {
    expect(planFault(await made)).toBeNull();
    const lines = planLines(await made, `sha256:${'0'.repeat(64)}`, colours(false));
    expectGolden('plan/skiff.txt', `${lines.join('\n')}\n`);
  });

  test('given one machine, then only tests of other machines are dropped', async () => {
    const { plan: left, refused } = withoutUnserved(await made, ['linux-aarch64', 'macos-arm64', 'gpu']);
    expect(refused).toEqual([]);
    expect(left.dropped.map(({ id }) => id.split('/')[0]).filter((stage) => !/^(tests|verify)$/.test(stage!))).toEqual(
      [],
    );
    expect(left.dropped).toHaveLength(17);
    expect(left.effects).toEqual((await made).effects);
  });
});
