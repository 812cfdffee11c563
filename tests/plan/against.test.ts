import { missingSince, previousOf } from '../../src/plan/against.js';
import { HEAD, planOf } from './a-plan.js';

const before = planOf(`${HEAD.replace("'1.0'", "'2.53'").replace('cp312]', 'cp312, cp313]')}wheels: { skiff: {} }\n`);
const now = planOf(`${HEAD.replace("'1.0'", "'2.54'")}wheels: { skiff: {} }\n`);

test('a variant that the last plan had and this one lacks is a finding', () => {
  expect(missingSince(previousOf(JSON.parse(JSON.stringify(before)))!, now)).toMatchObject([
    {
      level: 'error',
      code: 'VARIANT_MISSING',
      subject: 'wheels/skiff/cp313/linux-x86_64',
      why: 'wheels/skiff cp313 linux-x86_64 was in 2.53, is not in 2.54',
    },
  ]);
});

test('against a manifest, what was done counts', () => {
  const done = ['source/ray', 'wheels/skiff/cp311/linux-x86_64', 'wheels/skiff/cp311/macos-arm64'];
  const found = missingSince(previousOf({ release: { version: '2.53' }, done })!, now);
  expect(found.map(({ subject }) => subject)).toEqual(['wheels/skiff/cp311/macos-arm64']);
});

test('a variant that is left out with a reason is a note with that reason', () => {
  const dropped = [{ id: 'wheels/skiff/cp313/linux-x86_64', because: 'nobody serves it' }];
  expect(missingSince(previousOf(before)!, { ...now, dropped })).toMatchObject([
    {
      level: 'note',
      why: 'wheels/skiff cp313 linux-x86_64 was in 2.53, is not in 2.54: nobody serves it',
    },
  ]);
});

test('the same, or more, is complete', () => {
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
])('%j is neither a plan nor a manifest', (read) => {
  expect(previousOf(read)).toBeNull();
});
