import type { Plan } from '../../src/model/plan.js';
import type { FeaturePlan } from '../../src/plan/feature.js';
import type { Stage } from '../../src/plan/stage.js';
import { plannedStep } from '../../src/plan/planned-step.js';
import { HEAD, idsOf, planOf, problemsOf } from './a-plan.js';

const FILE = `${HEAD}steps: { tell: { run: 'true' } }\n`;

/** Plans with a stage of this id. Returns the first parts of the ids of steps that the stage saw. */
function seenBy(id: Stage['id']): readonly string[] {
  const seen: string[] = [];
  const steps: Stage['steps'] = (_, { drafts }) => {
    seen.push(...new Set(drafts.map(({ step }) => step.id.split('/')[0]!)));
    return [];
  };
  planOf(FILE, { features: { sample: { stages: { sample: { id, title: 'looking', steps } } } } });
  return seen;
}

/** A step for each step of the stage `steps`. */
const COPIES: Stage = {
  id: 'steps',
  title: 'copying',
  steps: (_, { drafts }) =>
    drafts.flatMap(({ step }) =>
      step.kind === 'runCommand'
        ? [plannedStep('runCommand', { id: `${step.id}-copy`, on: step.on, needs: [step.id], params: step.params })]
        : [],
    ),
};

const withSample = (sample: FeaturePlan): Plan => planOf(FILE, { features: { sample } });

test('given a feature with a stage, then its steps are planned', () =>
  expect(idsOf(withSample({ stages: { COPIES } }), 'steps')).toEqual(['steps/tell', 'steps/tell-copy']));

test('given a stage of a feature, then it is between the stage of its id and the next one', () => {
  expect(seenBy('steps')).toContain('steps');
  expect(seenBy('steps')).not.toContain('seal');
  expect(seenBy('seal')).toContain('seal');
  expect(seenBy('report')).toContain('report');
});

test('given a feature whose check complains, then nothing is planned', () => {
  const sample: FeaturePlan = {
    check: (context) => context.needsThat(['steps', 'tell'], 'no sample is left', 'Add a sample.'),
  };
  expect(problemsOf(FILE, { features: { sample } })).toMatchObject([
    { message: expect.stringContaining('no sample is left'), path: 'steps.tell' },
  ]);
});

test('given entries of a feature that is not handed in, then nothing is planned', () => {
  const plan = (): Plan => planOf(`${HEAD}deps: { all: { requires: [six] } }\n`, { features: {} });
  expect(plan).toThrow('section "deps" is of feature "locks", which this program does not plan with');
});
