import { samenessOf, keyParts } from '../../src/engine/cache/key-parts.js';
import { poolOf } from '../../src/model/plan.js';
import { planFault } from '../../src/model/schema/plan.js';
import { stepKey } from '../../src/engine/cache/step-key.js';
import { planLines } from '../../src/cli/screens/plan.js';
import { colours } from '../../src/cli/render/paint.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { HEAD, planOf, problemsOf, sha256, stepOf } from './a-plan.js';

const NIGHT = HEAD.replace(/^release: .*$/m, 'pipeline: { name: night, label: date }');
const fileWith = (steps: string, head = NIGHT): string => `${head}steps:\n${steps}`;
const EARLIER = { inputs: [], toolchain: null, epoch: null };

describe('given `cache: false`', () => {
  const text = (more = ''): string => fileWith(`  prepare: { run: ./prepare.sh${more} }\n`);

  test('then the step has it, beside its parameters: its key is the one without', () => {
    const [plain, always] = [planOf(text()), planOf(text(', cache: false'))];
    const [was, is] = [stepOf(plain, 'steps/prepare'), stepOf(always, 'steps/prepare')];
    expect(was).not.toHaveProperty('cache');
    expect(is).toEqual({ ...was, cache: 'always' });
    expect(planFault(JSON.parse(JSON.stringify(always)))).toBeNull();
    const keyOf = (plan: typeof plain, step: typeof is) => stepKey(keyParts(plan, step as never, EARLIER), sha256);
    expect(keyOf(always, is)).toBe(keyOf(plain, was));
  });

  test('then a scheduled run of the same plan is not taken for one without anything new', () => {
    expect(samenessOf(planOf(text()), sha256)).not.toBeNull();
    expect(samenessOf(planOf(text(', cache: false')), sha256)).toBeNull();
  });

  test('then history and screen have it', () => {
    const made = planOf(text(', cache: false'));
    const { steps } = skeletonOf(made, sha256('plan'), {});
    expect(steps.flatMap(({ id, cache }) => (cache ? [id] : []))).toEqual(['steps/prepare']);
    expect(planLines(made, sha256('plan'), colours(false)).join('\n')).toMatch(
      /How entries run\n {2}steps\/prepare {2}in each run\n/,
    );
  });

  test('given `cache: true`, then it is refused', () => {
    expect(problemsOf(text(', cache: true'))).toEqual([expect.objectContaining({ path: 'steps.prepare.cache' })]);
  });
});

describe('given `parallel: 2`', () => {
  const LOAD = '  load: { run: ./load.sh, matrix: { part: [a, b, c, d] }, parallel: 2 }\n';

  test('then its variants share two places, in plan and history, and no key changes', () => {
    const [made, plain] = [planOf(fileWith(LOAD)), planOf(fileWith(LOAD.replace(', parallel: 2', '')))];
    const pool = { name: 'steps/load', limit: 2 };
    const was = stepOf(plain, 'steps/load/a');
    expect(was).not.toHaveProperty('pool');
    expect(stepOf(made, 'steps/load/a')).toEqual({ ...was, pool });
    expect(planFault(JSON.parse(JSON.stringify(made)))).toBeNull();
    const { steps } = skeletonOf(made, sha256('plan'), {});
    expect(steps.filter((step) => step.pool).map((step) => [step.id, step.pool])).toEqual(
      ['a', 'b', 'c', 'd'].map((part) => [`steps/load/${part}`, pool]),
    );
    expect(planLines(made, sha256('plan'), colours(false)).join('\n')).toMatch(/steps\/load {2}at most 2 at once\n/);
  });

  test('given a wheel with a preparation, then the preparation holds no place', () => {
    const made = planOf(`${HEAD}wheels: { skiff: { parallel: 1, prepare: { run: make ready } } }\n`);
    expect(made.steps.filter(poolOf).map(({ id }) => id)).toEqual([
      'wheels/skiff/cp311/linux-x86_64',
      'wheels/skiff/cp312/linux-x86_64',
    ]);
  });

  test('given a test with a pool of its own, then it is refused, and the parameters keep the pool without `parallel`', () => {
    const text = (more: string): string => `${NIGHT}clusters: { pond: { manager: local } }
tests: { sail: { cluster: pond, run: echo 1, pool: { name: tiny, limit: 3 }${more} } }\n`;
    expect(problemsOf(text(', parallel: 2'))).toEqual([
      expect.objectContaining({
        code: 'WRONG_VALUE',
        path: 'tests.sail.parallel',
        message: expect.stringContaining('tiny'),
      }),
    ]);
    const step = planOf(text('')).steps.find(({ kind }) => kind === 'runOnCluster')!;
    expect(step).not.toHaveProperty('pool');
    expect(poolOf(step)).toEqual({ name: 'tiny', limit: 3 });
  });

  test.each(['0', '-1', '1.5', '10001', 'two', 'null', "'2'"])('given `parallel: %s`, then it is refused', (said) => {
    expect(problemsOf(fileWith(LOAD.replace('parallel: 2', `parallel: ${said}`)))[0]).toMatchObject({
      path: 'steps.load.parallel',
    });
  });
});

describe('given a clean-up that needs the source', () => {
  const SOURCES = `sources: { keel: { sdist: keel==2.0, sha256: ${'b'.repeat(64)} } }\n`;
  const text = (more: string, head = NIGHT): string =>
    fileWith(`  load: { run: ./load.sh }\n  clean: { after: [steps/load], ${more}run: ./clean.sh }\n`, head);

  test('then it runs after the fetch, however that ended, and takes its tree', () => {
    const step = stepOf(planOf(text('needs: [source], ')), 'steps/clean');
    expect(step).toMatchObject({ kind: 'tidyUp', source: 'source/night', needs: [], wants: [] });
    expect(step.after).toEqual(expect.arrayContaining(['source/night', 'steps/load']));
    expect(stepOf(planOf(text('')), 'steps/clean')).not.toHaveProperty('source');
  });

  test('given a source that nothing else uses, then it is fetched for the clean-up', () => {
    const made = planOf(text('needs: [source], source: keel, ', NIGHT + SOURCES));
    expect(stepOf(made, 'steps/clean')).toMatchObject({ source: 'source/keel' });
    expect(stepOf(made, 'source/keel').kind).toBe('fetchSource');
  });

  test.each([
    ['another need', 'needs: [steps/load], ', 'steps.clean.needs', 'takes no "needs" but [source]'],
    ['another need besides', 'needs: [source, steps/load], ', 'steps.clean.needs', 'takes no "needs" but [source]'],
    ['a source without needs', 'source: keel, ', 'steps.clean.source', 'takes no "source"'],
    ['an unknown source', 'needs: [source], source: kell, ', 'steps.clean.source', 'kell'],
    ['cache: false, as every clean-up has it', 'cache: false, ', 'steps.clean.cache', 'takes no "cache"'],
    ['places', 'parallel: 1, ', 'steps.clean.parallel', 'takes no "parallel"'],
  ])('given %s, then it is refused', (_, more, path, told) => {
    const found = problemsOf(text(more, NIGHT + SOURCES));
    expect(found).toEqual([expect.objectContaining({ path, message: expect.stringContaining(told) })]);
  });

  test('given a file without a source, then it is refused', () => {
    const found = problemsOf(
      `slipway: 1\npipeline: { name: night, label: date }\nplatforms: [linux-x86_64]\n${SOURCES}steps:
  load: { run: ./load.sh, source: keel }\n  clean: { after: [steps/load], needs: [source], run: ./clean.sh }\n`,
    );
    expect(found).toEqual([expect.objectContaining({ code: 'UNKNOWN_NEED', path: 'steps.clean.needs[0]' })]);
  });
});
