import * as fc from 'fast-check';
import { givenIn } from '../../src/cli/given.js';
import { verdictOf } from '../../src/engine/run/verdict.js';
import { whyPlanned } from '../../src/engine/why/planned.js';
import type { Given, Plan, Step } from '../../src/model/plan.js';
import { withKept } from '../../src/plan/changed/kept.js';
import { nearestTo, whyUnchanged } from '../../src/plan/changed/unchanged.js';
import { whenKey, whensOf } from '../../src/plan/changed/whens.js';
import { nothingToDo } from '../../src/plan/nothing-to-do.js';
import { plan } from '../../src/plan/plan.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { HEAD, someFacts } from './a-plan.js';

const why = (
  changed: readonly string[],
  paths: readonly string[],
  near: Readonly<Record<string, readonly string[]>> = {},
) =>
  whyUnchanged({ path: [], source: '', changed: [...changed] }, 'main', {
    base: 'a'.repeat(40),
    paths,
    near: { ...Object.fromEntries(changed.map((glob) => [glob, []])), ...near },
  });

test.each([
  ['java/**', 'java/pom.xml', true],
  ['java/**', 'java/api/src/A.java', true],
  ['java/**', 'javadoc/pom.xml', false],
  ['java/*', 'java/api/A.java', false],
  ['**/pom.xml', 'pom.xml', true],
  ['**/pom.xml', 'java/api/pom.xml', true],
  ['java/**/A.java', 'java/A.java', true],
  ['*.md', 'docs/a.md', false],
  ['a?c', 'abc', true],
  ['a.c', 'abc', false],
  ['java', 'java/pom.xml', false],
])('given the glob %s, then a change of %s counts: %s', (glob, path, counts) => {
  expect(why([glob], ['other', path]) === null).toBe(counts);
});

test('given no matching path, then the reason names three globs, the number of paths, and the three nearest files', () => {
  const near = { 'a/**': ['a/x/y', 'a/b/c/d', 'a/b/z'], b: ['b'], c: ['c'], d: [] };
  expect(why(['a/**', 'b', 'c', 'd'], ['a/b/e.md', 'f'], near)).toBeNull();
  expect(why(['b', 'c', 'd', 'a/*/*/*'], ['a/b/e.md', 'f'], { ...near, 'a/*/*/*': ['a/x/y/z', 'a/b/c/d'] })).toBe(
    'no change since main touches b, c, d or 1 more (paths changed: 2); a/b/c/d, a/x/y/z, b would have counted',
  );
});

const GLOBS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const when = (glob: string): string => `when: { changed: [${glob}] }`;
const FILE = `${HEAD}wheels: { skiff: { ${when('a')} }, keel: { prepare: { run: make }, ${when('b')} } }
tests:
  sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1', ${when('c')} }
  row: { needs: [wheels/keel, tests/sail], in: venv, run: echo 1, expect: '1' }
steps:
  chart: { run: 'true', outputs: [a.chart], ${when('d')} }
  read: { needs: [steps/chart], run: 'true', ${when('e')} }
  plain: { run: 'true', ${when('f')} }
  last: { needs: [steps/plain], run: 'true' }
`;
/** The plan where only these globs have changed paths. */
function planWith(touched: readonly string[], { since = 'main', ...given }: Given = {}, text = FILE): Plan {
  const read = readReleaseFile(text, 'slipway.yaml');
  const near = Object.fromEntries(GLOBS.map((glob) => [glob, [glob]]));
  const unchanged = new Map(
    whensOf(read.content).map((one) => [whenKey(one), whyUnchanged(one, since, { base: null, paths: touched, near })]),
  );
  return plan({ ...read, unchanged }, someFacts({ given: { since, ...given } }));
}
const leftIn = (made: Plan): readonly string[] => (made.assumed ?? []).map(({ id }) => id);
const keptIn = (made: Plan) => (made.kept ?? []).map(({ id, readBy }) => `${id} for ${readBy.join(', ')}`);

test.each<[string, readonly string[], Given, string, readonly string[], readonly string[]]>([
  [
    'nothing',
    [],
    {},
    '',
    ['steps/chart', 'steps/plain', 'steps/read', 'tests/sail', 'wheels/skiff'],
    ['wheels/keel for tests/row'],
  ],
  [
    'a reader',
    ['e'],
    {},
    '',
    ['steps/plain', 'tests/sail', 'wheels/skiff'],
    ['steps/chart for steps/read', 'wheels/keel for tests/row'],
  ],
  ['a test', ['c', 'd', 'e', 'f'], {}, '', [], ['wheels/keel for tests/row', 'wheels/skiff for tests/sail']],
  ['all', GLOBS, {}, '', [], []],
  [
    'nothing, and a step with optional inputs reads files',
    [],
    {},
    '  link: { needs: [steps/chart], inputs: optional, run: ls }',
    ['steps/plain', 'steps/read', 'tests/sail', 'wheels/skiff'],
    ['steps/chart for steps/link', 'wheels/keel for tests/row'],
  ],
  [
    'nothing, and a target publishes',
    [],
    {},
    'publish: { index: { kind: python, files: [wheels/*] } }',
    ['steps/chart', 'steps/plain', 'steps/read', 'tests/sail'],
    ['wheels/keel for publish/index, tests/row', 'wheels/skiff for publish/index'],
  ],
  [
    'nothing, with --only',
    [],
    { only: ['tests/sail', 'tests/row'] },
    '',
    ['steps/chart', 'steps/plain', 'steps/read'],
    ['wheels/keel for tests/row', 'wheels/skiff for tests/sail'],
  ],
  [
    'nothing, with --skip',
    [],
    { skip: ['tests/row'] },
    '',
    ['steps/chart', 'steps/plain', 'steps/read', 'tests/row', 'tests/sail', 'wheels/keel', 'wheels/skiff'],
    [],
  ],
])(
  'given a change of %s, then the plan leaves out what no change touches and nothing reads',
  (_, touched, given, more, left, kept) => {
    const made = planWith(touched, given, FILE + more);
    expect(leftIn(made)).toEqual(left);
    expect(keptIn(made)).toEqual(kept);
  },
);

test('given an entry whose files are read, when --skip names it, then the plan is refused as without a condition', () => {
  expect(() => planWith(['e'], { skip: ['steps/chart'] })).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code: 'ASSUMED_KEEPS_FILES' })] }),
  );
});

test('given a file that reads what is kept, then it is kept through all entries between', () => {
  const chain = `${HEAD}steps:
  one: { run: 'true', outputs: [x], ${when('a')} }
  two: { needs: [steps/one], run: 'true', outputs: [x], ${when('b')} }
  three: { needs: [steps/two], run: 'true' }
`;
  expect(keptIn(planWith([], {}, chain))).toEqual(['steps/one for steps/two', 'steps/two for steps/three']);
});

test('given what is planned for its files, then why says for whom, also of its preparation', () => {
  const made = planWith([]);
  const prepared = made.steps.find(({ id }) => id.startsWith('prepare/keel'))!.id;
  for (const id of ['wheels/keel/cp311/linux-x86_64', prepared])
    expect(whyPlanned(id, made).because).toMatch(
      /; no change since main touches b .*, and its files are read by tests\/row$/,
    );
  expect(whyPlanned('tests/row/cp311/linux-x86_64', made).because).not.toContain('no change');
});

test('given a lock with a tool of its own that is planned for its files, then why says so of the lock of its tool', () => {
  const text = `${HEAD}deps: { a: { requires: [six], tool: uv==0.9.0, ${when('a')} } }
steps: { sail: { needs: [deps/a], run: ls } }
`;
  const made = planWith([], {}, text);
  const tool = made.steps.find(({ id }) => id.startsWith('deps/a-tool'))!.id;
  expect(whyPlanned(tool, made).because).toMatch(/; no change since main .* are read by steps\/sail$/);
});

test('given a reader of a long chain, then planning neither recurses nor searches all entries for each', () => {
  const long = Array.from({ length: 3000 }, (_, at) => `s${at}`);
  const entries = long.map((id, at) => {
    const needs = at === 0 ? [] : [`steps/s${at - 1}`];
    return [`steps/${id}`, { ...{ id: `steps/${id}`, path: ['steps', id] }, needs: refsTo(needs) }] as const;
  });
  const steps = Object.fromEntries(long.map((id) => [id, { outputs: ['x'] }]));
  const assumed = Object.fromEntries(entries.slice(0, -1).map(([id]) => [id, 'no change since main touches x']));
  const context = { release: { steps }, assumable: (id: string) => assumed[id] ?? null };
  const file = { assumed, content: { publish: {} } };
  const made = withKept(file as never, () => [new Map(entries), context] as never);
  expect(made.kept).toHaveLength(2999);
  expect(made.assumed).toEqual({});
});
const refsTo = (ids: readonly string[]) => ids.map((id) => ({ ref: { id } }));

test('given what --skip leaves out besides, then a run without anything to do does not give a change as the reason', () => {
  const one = { kind: 'fetchSource' } as Step;
  const made = { given: { since: 'main' }, steps: [one], dropped: [] };
  const left = (because: string) => ({ id: 'steps/a', because, neededBy: [] });
  const reasonOf = (assumed: Plan['assumed']) => nothingToDo({ ...made, assumed } as unknown as Plan);
  expect(reasonOf([left('no change since main touches b')])).toBe('no change since main touches an entry');
  expect(reasonOf([left('no change since main touches b'), left('--skip names it')])).toBe('all entries are left out');
});

test('given files at several depths, then the three nearest are found in one pass', () => {
  const files = ['z', 'a/b/y', 'a/x', 'a/b/c', 'b/c/d', 'a/b/e/f'];
  expect(nearestTo(['a/b/new'])(files)).toEqual(['a/b/c', 'a/b/y', 'a/b/e/f']);
  expect(nearestTo([])(files)).toEqual(['z', 'a/x', 'a/b/c']);
});

test('given a run without anything to do, then the verdict lists what was left out', () => {
  const assumed = [{ id: 'steps/a', because: 'no change since main touches b' }];
  const around = {
    rehearsal: false,
    pipeline: true,
    cancelled: null,
    dropped: [],
    assumed,
    nothingToDo: 'no change',
  } as const;
  expect(verdictOf([], [], around as never)).toEqual({
    verdict: 'done',
    reasons: ['nothing new: no change', 'steps/a was assumed done: no change since main touches b'],
  });
});

/** All that decides a step's key, and what it does. */
const bare = ({ needs: _, wants: __, after: ___, ...step }: Step) => step;
test('given any changes, then each planned step is the one of the plan without conditions', () => {
  const whole = planWith(GLOBS, {}, FILE.replace(/, when: \{[^}]*\}|when: \{[^}]*\}/g, ''));
  const steps = new Map(whole.steps.map((step) => [step.id, step]));
  const isProof = ({ stage }: Step): boolean => ['prove', 'report'].includes(stage);
  fc.assert(
    fc.property(fc.subarray([...GLOBS]), (touched) => {
      const made = planWith(touched);
      const ids = new Set(made.steps.map(({ id }) => id));
      for (const step of made.steps.filter((one) => !isProof(one))) {
        expect(bare(step)).toEqual(bare(steps.get(step.id)!));
        const gone = steps.get(step.id)!.needs.filter((id) => !ids.has(id));
        expect([...step.needs, ...gone].sort()).toEqual([...steps.get(step.id)!.needs].sort());
      }
      const left = whole.steps.filter((step) => !ids.has(step.id) && !isProof(step)).map(({ id }) => id);
      const named = leftIn(made).map((id) => id.split('/')[1]!);
      for (const id of left) expect(named.some((name) => id.includes(name))).toBe(true);
    }),
    { numRuns: 20, seed: 34 },
  );
});

test.each(['-x', '--output=x', 'a b', 'a\nb', ''])(
  'given --since %j, then the command refuses it before it asks git',
  (since) => {
    expect(() => givenIn({ since })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'SINCE_INVALID' })] }),
    );
    expect(givenIn({ since: 'origin/main~1' })).toEqual({ since: 'origin/main~1' });
  },
);
