import { missingSince, previousOf } from '../../src/plan/against.js';
import { HEAD, planOf } from './a-plan.js';

const before = planOf(`${HEAD.replace("'1.0'", "'2.53'").replace('cp312]', 'cp312, cp313]')}wheels: { skiff: {} }\n`);
const now = planOf(`${HEAD.replace("'1.0'", "'2.54'")}wheels: { skiff: {} }\n`);

test('given a variant of the previous plan that is missing, then it is an error', () => {
  expect(missingSince(previousOf(JSON.parse(JSON.stringify(before)))!, now)).toMatchObject([
    {
      level: 'error',
      code: 'VARIANT_MISSING',
      subject: 'wheels/skiff/cp313/linux-x86_64',
      why: 'wheels/skiff cp313 linux-x86_64 was in 2.53, is not in 2.54',
    },
  ]);
});

test('given a previous manifest, then only steps that were done are compared', () => {
  const done = ['source/ray', 'wheels/skiff/cp311/linux-x86_64', 'wheels/skiff/cp311/macos-arm64'];
  const found = missingSince(previousOf({ release: { version: '2.53' }, done })!, now);
  expect(found.map(({ subject }) => subject)).toEqual(['wheels/skiff/cp311/macos-arm64']);
});

test('given a missing variant that was dropped with a reason, then it is a note with that reason', () => {
  const dropped = [{ id: 'wheels/skiff/cp313/linux-x86_64', because: 'nobody serves it' }];
  expect(missingSince(previousOf(before)!, { ...now, dropped })).toMatchObject([
    {
      level: 'note',
      why: 'wheels/skiff cp313 linux-x86_64 was in 2.53, is not in 2.54: nobody serves it',
    },
  ]);
});

test('given the same variants or more, then nothing is reported', () => {
  expect(missingSince(previousOf(now)!, before)).toEqual([]);
});

test.each([
  [null],
  [5],
  [[]],
  [{}],
  [{ release: { version: '1' } }],
  [{ release: {}, done: [] }],
  [{ release: { version: '1' }, done: [5] }],
  [{ release: { version: '1' }, steps: [null] }],
])('given %j, then it is neither a plan nor a manifest', (read) => {
  expect(previousOf(read)).toBeNull();
});
