import { join } from 'node:path';
import { gatherFacts } from '../../src/adapters/facts/index.js';
import { planFault } from '../../src/model/schema/plan.js';
import { withoutUnserved } from '../../src/plan/unserved.js';
import { plan } from '../../src/plan/plan.js';
import type { StepOf } from '../../src/model/plan.js';
import { stepOf } from './a-plan.js';
import { NO_RUNS } from '../support/no-runs.js';

const ROOT = join(__dirname, '..', '..');
const made = gatherFacts('examples/ray-whole', 'local', ROOT, {}, NO_RUNS).then(({ file, facts }) => plan(file, facts));
const count = async (pattern: RegExp) => (await made).steps.filter(({ id }) => pattern.test(id)).length;

describe("Ray's own release, as a plan", () => {
  test('given its release file, then it is valid', async () => {
    expect(planFault(await made)).toBeNull();
  });

  test.each([
    ['15 wheels of Ray', /^wheels\/ray\//, 15],
    ['4 of its C++ API', /^wheels\/ray-cpp\//, 4],
    ['a native library for each system', /^jars\/native\//, 2],
    ['one JAR', /^jars\/ray$/, 1],
    ['80 images', /^images\/ray\//, 80],
    ['80 extra images', /^images\/ray-extra\//, 80],
    ['2 images for language models', /^images\/ray-llm\//, 2],
    ['every wheel to both indexes', /^publish\/(testpypi|pypi)\//, 38],
  ])('has %s', async (_, pattern, expected) => {
    expect(await count(pattern)).toBe(expected);
  });

  test('given its image tags, then there are 242: 120 of each matrix and one of each image for language models', async () => {
    const names = (await made).effects.filter(({ kind }) => kind === 'oci').map(({ name }) => name);
    const sha6 = ((await made).source as { readonly commit: string }).commit.slice(0, 6);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith('rayproject/ray:'))).toHaveLength(240);
    expect(names.filter((name) => name.startsWith('rayproject/ray-llm:')).sort()).toEqual([
      `rayproject/ray-llm:2.54.0.${sha6}-py311-cu128`,
      `rayproject/ray-llm:2.54.0.${sha6}-py312-cu129`,
    ]);
  });

  test('given its indexes, then each is named after its x86_64 image, over both architectures', async () => {
    const index = stepOf(await made, 'indexes/ray/cp310/cpu') as StepOf<'assembleIndex'>;
    expect(index.params.children).toEqual([
      { platform: 'linux/amd64', step: 'images/ray/cp310/linux-x86_64/cpu' },
      { platform: 'linux/arm64', step: 'images/ray/cp310/linux-aarch64/cpu' },
    ]);
    expect(index.params.tags).toHaveLength(4);
    expect(await count(/^indexes\//)).toBe(80);
  });

  test('given unserved queues, then their tests are dropped with a reason, and tests that may wait stay', async () => {
    const left = withoutUnserved(await made, ['gpu', 'macos-arm64']);
    expect(left.plan.dropped).toMatchObject([
      { id: 'tests/gpu', because: 'nobody serves the queue gpu (tests.gpu.unserved: drop)' },
    ]);
    expect(left.refused).toEqual([]);
  });
});
