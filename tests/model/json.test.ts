import { canonical } from '../../src/model/json.js';

test('absent and undefined keys are alike, and order does not matter', () => {
  expect(canonical({ b: 1, a: { d: undefined, c: [1, 'x'] } })).toBe('{"a":{"c":[1,"x"]},"b":1}');
});
