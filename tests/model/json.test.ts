import { canonical } from '../../src/model/json.js';

test('given absent or undefined keys in any order, then the canonical JSON is the same', () => {
  expect(canonical({ b: 1, a: { d: undefined, c: [1, 'x'] } })).toBe('{"a":{"c":[1,"x"]},"b":1}');
});
