import { trippedAlerts } from '../../../src/engine/checks/alerts.js';
import type { Json } from '../../../src/model/json.js';
import type { Alert } from '../../../src/model/tests/cluster.js';

test.each<[string, Alert, Json, readonly string[]]>([
  ['a value at its largest bound', { value: 'a', atMost: 3 }, { a: 3 }, []],
  ['a value above it', { value: 'a', atMost: 3 }, { a: 3.5 }, ['a is 3.5, at most 3 passes']],
  ['a value at its smallest bound', { value: 'a', atLeast: 3 }, { a: 3 }, []],
  ['a value below it', { value: 'a', atLeast: 3 }, { a: 2 }, ['a is 2, at least 3 passes']],
  ['a nested value', { value: 'a.b', atLeast: 10 }, { a: { b: 9 } }, ['a.b is 9, at least 10 passes']],
  ['a name that holds a dot', { value: 'a.b', atMost: 1 }, { 'a.b': 2 }, ['a.b is 2, at most 1 passes']],
  ['a dot further down', { value: 'a.b.c', atMost: 1 }, { a: { 'b.c': 2 } }, ['a.b.c is 2, at most 1 passes']],
  ['a value that is absent', { value: 'a', atMost: 3 }, { b: 1 }, ['a is absent']],
  ['a result that is no map', { value: 'a', atMost: 3 }, [1], ['a is absent']],
  ['an inherited name', { value: 'toString', equals: 1 }, {}, ['toString is absent']],
  ['a text where a number is bounded', { value: 'a', atMost: 3 }, { a: '2' }, ['a is "2", which is no number']],
  ['null where a number is bounded', { value: 'a', atMost: 3 }, { a: null }, ['a is null, which is no number']],
  ['the only value that passes', { value: 'ok', equals: true }, { ok: true }, []],
  ['another value', { value: 'ok', equals: true }, { ok: 'true' }, ['ok is "true", only true passes']],
  [
    'the age of the result',
    { value: 'last_update_age', atMost: 300 },
    {},
    ['last_update_age is 301, at most 300 passes'],
  ],
  ['an age that the result says', { value: 'last_update_age', atMost: 300 }, { last_update_age: 5 }, []],
])('given %s, then the expected alerts are reported', (_, alert, result, told) => {
  expect(trippedAlerts([alert], result, 301)).toEqual(told);
});
