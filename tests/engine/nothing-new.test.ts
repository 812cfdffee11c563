import { samenessOf } from '../../src/engine/cache/key-parts.js';
import { nothingToDo } from '../../src/plan/nothing-to-do.js';
import type { Plan } from '../../src/model/plan.js';
import { planOf, sha256, someFacts } from '../plan/a-plan.js';

const HEAD = `slipway: 1
pipeline: { name: night, label: date }
source: { sdist: skiff==1.0, sha256: ${'a'.repeat(64)} }
platforms: [linux-x86_64]
`;
const STEP = `${HEAD}steps:\n  x: { run: 'true', expect: ok }\n`;
const at = (day: string, text = STEP): Plan => planOf(text, { ...someFacts(), nowMs: Date.parse(`${day}T02:00:00Z`) });
const same = (plan: Plan): string | null => samenessOf(plan, sha256);

test('given two days, then plans without the label in a step are the same', () => {
  const [one, two] = [at('2026-11-22'), at('2026-11-23')];
  expect(one.release.version).not.toBe(two.release.version);
  expect(same(one)).not.toBeNull();
  expect(same(one)).toBe(same(two));
});

test('given another line, then the plan is another', () => {
  expect(same(at('2026-11-22', STEP.replace("'true'", 'make')))).not.toBe(same(at('2026-11-22')));
});

test('given a step that uses the label, then plans of two days differ', () => {
  const text = STEP.replace('true', 'echo {version}');
  expect(same(at('2026-11-22', text))).not.toBe(same(at('2026-11-23', text)));
});

test.each(['buildImage', 'publishArtifacts', 'keepStandings', 'takeWheel', 'signFiles', 'passGate'] as const)(
  'given a step of kind %s, then the plan always has something to do',
  (kind) => {
    const plan = at('2026-11-22');
    const more = { ...plan.steps[0]!, kind } as Plan['steps'][number];
    expect(same({ ...plan, steps: [...plan.steps, more] })).toBeNull();
  },
);

describe('a plan of wheel lists', () => {
  const idle = at('2026-11-22', HEAD);
  const judged = (from: string, counts: Readonly<Record<string, number>>) => ({
    ...{ id: 'wheels/constraints', from, entries: 0, counts, notices: [] },
  });
  const plan = (over: Partial<Plan> = {}): Plan => {
    const of = [judged('wheel-list', { here: 12, upstream: 24 }), judged('wheel-list', { here: 2 })];
    return {
      ...idle,
      steps: idle.steps.filter(({ kind }) => kind !== 'fetchSource'),
      imports: { facts: sha256(''), of },
      ...over,
    };
  };

  test('given proofs and a report alone, then it has nothing to do', () =>
    expect(nothingToDo(plan())).toBe('14 here, 24 upstream'));

  test.each<[string, Partial<Plan>]>([
    ['a step', { steps: at('2026-11-22').steps }],
    ['a dropped variant', { dropped: [{ id: 'wheels/skiff', because: 'nobody serves gpu' }] }],
    ['an import of another kind', { imports: { facts: sha256(''), of: [judged('ray', { 'left out': 3 })] } }],
    ['no import', { imports: undefined as never }],
  ])('given %s, then it has something to do', (_what, over) => expect(nothingToDo(plan(over))).toBeNull());
});
