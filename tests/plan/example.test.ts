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

const ROOT = join(__dirname, '..', '..');

describe('the example of this repository', () => {
  const made = gatherFacts('examples/jep', 'local', ROOT).then(({ file, facts }) => plan(file, facts));

  test('reads as a table', async () => {
    const lines = planLines(await made, digestOf(await made, sha256), colours(false));
    expectGolden('plan/jep.txt', `${lines.join('\n')}\n`);
  });

  test('is this plan', async () => {
    expectGolden('plan/jep.json', `${JSON.stringify(await made, null, 1)}\n`);
  });
});

test('the live profile plans the same steps, as a release, with what cannot be undone said', async () => {
  const { file, facts } = await gatherFacts('examples/jep', 'live', ROOT);
  const { profile, effects, steps } = plan(file, facts);
  expect(profile).toEqual({ name: 'live', rehearsal: false });
  expect(effects.filter(({ undo }) => undo === 'irrevocable').map(({ target }) => target)).toEqual(['maven']);
  const rehearsal = await gatherFacts('examples/jep', 'local', ROOT);
  expect(steps.map(({ id }) => id)).toEqual(plan(rehearsal.file, rehearsal.facts).steps.map(({ id }) => id));
});

test.each(['python-ldap', 'pyyaml', 'levenshtein'])('the release file of the stranger %s is sound', async (name) => {
  const { file, facts } = await gatherFacts(`examples/strangers/${name}`, 'local', ROOT);
  expect(plan(file, facts).effects.map(({ what }) => what)).toEqual(['publish', 'publish', 'publish']);
});

test('config/slipway.schema.json is what the schemas say: `slipway schema > config/slipway.schema.json`', () => {
  expect(readFileSync(join(ROOT, 'config', 'slipway.schema.json'), 'utf8')).toBe(releaseFileSchemaText());
});
