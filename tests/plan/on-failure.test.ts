import { planFault } from '../../src/model/schema/plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { HEAD, planOf, problemsOf, sha256, stepOf } from './a-plan.js';

const ENTRIES = `deps: { build: { requires: [x] } }
wheels: { skiff: { onFailure: tell } }
tests:
  sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1', onFailure: hold }
steps: { x: { run: 'true' } }
publish: { index: { kind: python, files: [wheels/skiff], onFailure: tell } }
`;
const PIPELINE = HEAD.replace(/^release: .*$/m, 'pipeline: { name: night, label: date }');
const WHEEL = 'wheels/skiff/cp311/linux-x86_64';
const TEST = 'tests/sail/cp311/linux-x86_64';

const answersOf = (head: string, ...ids: readonly string[]): readonly (string | undefined)[] => {
  const made = planOf(head + ENTRIES);
  expect(planFault(JSON.parse(JSON.stringify(made)))).toBeNull();
  return ids.map((id) => stepOf(made, id).onFailure);
};

test('given a release, then a failed step is held, unless its entry says tell', () => {
  expect(answersOf(HEAD, WHEEL, TEST, 'steps/x', 'seal/manifest', 'verify/index/cp311')).toEqual([
    'tell',
    undefined,
    undefined,
    undefined,
    'tell',
  ]);
});

test('given a pipeline, then a failed step is only reported, unless its entry says hold', () => {
  expect(answersOf(PIPELINE, WHEEL, TEST, 'steps/x', 'seal/manifest', 'prove/queue/control')).toEqual([
    'tell',
    undefined,
    'tell',
    'tell',
    'tell',
  ]);
});

test('given onFailure: stop, then every variant of the entry has it, in the plan and in history', () => {
  const made = planOf(`${HEAD}steps: { x: { run: 'true', matrix: { part: [a, b] }, onFailure: stop } }\n`);
  expect(planFault(JSON.parse(JSON.stringify(made)))).toBeNull();
  const { steps } = skeletonOf(made, sha256('plan'), {});
  expect(steps.filter(({ onFailure }) => onFailure === 'stop').map(({ id }) => id)).toEqual(['steps/x/a', 'steps/x/b']);
});

test('given a test whose failures are tolerated, then all its variants have the reason, in the skeleton too', () => {
  const because = 'jailed: core until 2026-12-06, issue 7';
  const made = planOf(HEAD + ENTRIES, { tolerated: { 'tests/sail': because, 'wheels/skiff': 'never' } });
  expect(stepOf(made, TEST).tolerate).toBe(because);
  expect(stepOf(made, WHEEL)).not.toHaveProperty('tolerate');
  const { steps } = skeletonOf(made, sha256('plan'), {});
  expect(steps.filter(({ tolerate }) => tolerate === because)).toHaveLength(2);
  expect(steps.find(({ id }) => id === WHEEL)).toMatchObject({ onFailure: 'tell' });
});

test.each([
  ['onFailure: halt', /"halt" is none of "hold", "tell", "stop"/],
  ['tolerate: jailed', /unknown key/],
])('given %s, then it is refused with its place', (said, message) => {
  const [problem, ...more] = problemsOf(`${HEAD}steps: { x: { run: 'true', ${said} } }\n`);
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ place: { line: 6 }, message: expect.stringMatching(message) });
});
