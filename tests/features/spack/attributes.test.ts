import { mergedAttributes, withoutAttributes } from '../../../src/features/spack/pure/attributes.js';
import type { Json } from '../../../src/model/json.js';

/** Merges two values as `merge_yaml` of Spack 1.2 does. */
test.each<readonly [string, Json, Json, Json]>([
  ['lists', { tags: ['a', 'b'] }, { tags: ['c', 'a'] }, { tags: ['c', 'a', 'b'] }],
  ['a list that replaces', { tags: ['a'] }, { 'tags:': ['b'] }, { tags: ['b'] }],
  ['a list that goes behind', { tags: ['a', 'b'] }, { 'tags-': ['a', 'c'] }, { tags: ['b', 'a', 'c'] }],
  ['a text before', { v: { X: 'one' } }, { v: { 'X+': 'two' } }, { v: { X: 'twoone' } }],
  ['a text behind', { v: { X: 'one' } }, { v: { 'X-': 'two' } }, { v: { X: 'onetwo' } }],
  ['a text', { v: { X: 'one', Y: 1 } }, { v: { X: 'two' } }, { v: { X: 'two', Y: 1 } }],
  ['values of two kinds', { image: 'a' }, { image: { name: 'b' } }, { image: { name: 'b' } }],
  ['nothing', { image: 'a' }, { image: null }, { image: null }],
  ['a new key with a sign', {}, { 'v:': { 'X+': 'one' } }, { v: { X: 'one' } }],
  ['a key that objects have', {}, { constructor: ['a'] }, { constructor: ['a'] }],
])('given %s, then they are merged as Spack merges them', (_, own, added, merged) => {
  expect(mergedAttributes(own, added)).toEqual(merged);
});

/** What `remove_yaml` of Spack 1.2 returns. */
test.each<readonly [string, Json, Json, Json]>([
  ['items', { tags: ['a', 'b'] }, { tags: ['b', 'c'] }, { tags: ['a'] }],
  ['a whole key', { tags: ['a'], image: 'x' }, { 'tags:': [] }, { image: 'x' }],
  ['a single value', { image: 'x' }, { image: 'x' }, { image: 'x' }],
  ['keys of a map', { v: { X: 1, Y: 2 } }, { v: { 'X:': 1 } }, { v: { Y: 2 } }],
  ['nothing', { tags: ['a'] }, { tags: null }, { tags: ['a'] }],
])('given %s to remove, then that is left which Spack leaves', (_, own, removed, left) => {
  expect(withoutAttributes(own, removed)).toEqual(left);
});
