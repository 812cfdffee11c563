import { join } from 'node:path';
import { digestOf } from '../../src/model/digest.js';
import { gatherFacts } from '../../src/adapters/facts/index.js';
import { colours } from '../../src/cli/render/paint.js';
import { planLines } from '../../src/cli/screens/plan.js';
import { plan } from '../../src/plan/plan.js';
import { releaseFileSchemaText } from '../../src/plan/reference/json-schema.js';
import { expectGolden } from '../support/golden.js';
import { readFileSync } from 'node:fs';
import { sha256 } from './a-plan.js';
import { NO_RUNS } from '../support/no-runs.js';

const ROOT = join(__dirname, '..', '..');

describe('the example jep', () => {
  const made = gatherFacts('examples/jep', 'local', ROOT, {}, NO_RUNS).then(({ file, facts }) => plan(file, facts));

  test('when its plan is printed, then the table matches the golden file', async () => {
    const lines = planLines(await made, digestOf(await made, sha256), colours(false));
    expectGolden('plan/jep.txt', `${lines.join('\n')}\n`);
  });

  test('when it is planned, then the plan matches the golden file', async () => {
    expectGolden('plan/jep.json', `${JSON.stringify(await made, null, 1)}\n`);
  });
});

test('given the live profile, then the steps are the same, and irrevocable effects are named', async () => {
  const { file, facts } = await gatherFacts('examples/jep', 'live', ROOT, {}, NO_RUNS);
  const { profile, effects, steps } = plan(file, facts);
  expect(profile).toEqual({ name: 'live', rehearsal: false });
  expect(effects.filter(({ undo }) => undo === 'irrevocable').map(({ target }) => target)).toEqual(['maven']);
  const rehearsal = await gatherFacts('examples/jep', 'local', ROOT, {}, NO_RUNS);
  expect(steps.map(({ id }) => id)).toEqual(plan(rehearsal.file, rehearsal.facts).steps.map(({ id }) => id));
});

test.each(['python-ldap', 'pyyaml', 'levenshtein'])(
  'given the example of %s, then its release file is planned without problems',
  async (name) => {
    const { file, facts } = await gatherFacts(`examples/strangers/${name}`, 'local', ROOT, {}, NO_RUNS);
    expect(plan(file, facts).effects.map(({ what }) => what)).toEqual(['publish', 'publish', 'publish']);
  },
);

test('given config/slipway.schema.json, then it equals the output of `slipway schema`', () => {
  expect(readFileSync(join(ROOT, 'config', 'slipway.schema.json'), 'utf8')).toBe(releaseFileSchemaText());
});
