import { verdictOf } from '../../src/engine/run/verdict.js';
import { why } from '../../src/engine/why/why.js';
import type { Plan } from '../../src/model/plan.js';
import { plan } from '../../src/plan/plan.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { HEAD, idsOf, sha256, someFacts } from './a-plan.js';

const FILE = `${HEAD}wheels: { skiff: {} }
tests:
  sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1' }
  row: { needs: [wheels/skiff, tests/sail], in: venv, run: echo 1, expect: '1', packages: [jq] }
  data: { needs: [wheels/skiff], in: venv, run: echo 1, result: out.json }
  alone: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1' }
steps:
  ship: { needs: [tests/row], run: 'true' }
  clean: { after: [tests/row], run: 'true' }
`;
const onlyOf = (text: string, ...only: readonly string[]): Plan =>
  plan(readReleaseFile(text, 'slipway.yaml'), someFacts({ given: { only } }));

const left = (id: string, ...neededBy: readonly string[]) => ({ id, because: '--only does not name it', neededBy });

test('given --only, when a step needs another test, then that test is assumed done and the step keeps its axes', () => {
  const made = onlyOf(FILE, 'tests/alone');
  expect(idsOf(made, 'tests')).toEqual(['tests/alone/cp311/linux-x86_64', 'tests/alone/cp312/linux-x86_64']);
  expect(idsOf(made, 'bases')).toEqual([]);
  expect(idsOf(made, 'steps')).toEqual([
    'steps/clean',
    'steps/ship/cp311/linux-x86_64',
    'steps/ship/cp312/linux-x86_64',
  ]);
  expect(made.assumed).toEqual([left('tests/data'), left('tests/row', 'steps/ship'), left('tests/sail')]);
  const ship = made.steps.find(({ id }) => id === 'steps/ship/cp311/linux-x86_64')!;
  expect([...ship.needs, ...ship.wants].filter((id) => id.startsWith('tests/'))).toEqual([]);
  expect(made.dropped).toEqual([]);
});

test('given --only of a test that needs another one, then the other one is assumed done for it', () => {
  const made = onlyOf(FILE, 'tests/row');
  expect(made.assumed).toEqual([left('tests/alone'), left('tests/data'), left('tests/sail', 'tests/row')]);
});

test('given every needed test is chosen, then the others are listed, and nothing needs them', () => {
  expect(onlyOf(FILE, 'tests/row', 'tests/sail').assumed).toEqual([left('tests/alone'), left('tests/data')]);
});

test('given --only, when a step reads the files of another test, then the plan is refused with the place of the need', () => {
  const text = FILE.replace('needs: [tests/row], run', 'needs: [tests/data], run');
  expect(() => onlyOf(text, 'tests/alone')).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({
          code: 'ASSUMED_KEEPS_FILES',
          message: 'steps/ship needs the files of tests/data, which is left out: --only does not name it',
          place: { file: 'slipway.yaml', line: 13, column: 19 },
        }),
      ],
    }),
  );
});

test('given an assumed test, then the verdict and `slipway why` name it, in words other than those of a skip', () => {
  const made = onlyOf(FILE, 'tests/alone');
  const { assumed } = skeletonOf(made, sha256('plan'), {});
  const { verdict, reasons } = verdictOf([], [], { ...{ rehearsal: true, cancelled: null, dropped: [] }, assumed });
  const ids = ['tests/data', 'tests/row', 'tests/sail'];
  expect([verdict, ...reasons]).toEqual([
    'rehearsed',
    ...ids.map((id) => `${id} was assumed done: --only does not name it`),
  ]);
  const facts = { step: 'tests/row', plan: made, status: {} as never, making: null, maker: null, windows: {} };
  expect(why(facts, sha256)).toMatchObject({
    because: 'was assumed done for steps/ship: --only does not name it',
    next: 'Choose tests/row too, and it runs.',
  });
});
