import { ID_PREFIXES, type IdPrefix } from '../../src/model/id-prefixes.js';
import { row, type KindRow } from '../../src/model/kind-row.js';
import { KINDS, type KindName, type KindWith } from '../../src/model/kinds.js';

/* Whoever forgets a decision is told by `npx tsc -p tsconfig.tests.json`: each `@ts-expect-error` that meets no error is one. */

type Optional = { [K in keyof KindRow]-?: object extends Pick<KindRow, K> ? K : never }[keyof KindRow];
const noFlagIsOptional: [Optional] extends [never] ? true : false = true;

const {
  stage: _s,
  doing: _d,
  cache: _c,
  changes: _ch,
  limitMs: _l,
  epoch: _e,
  test: _t,
  ...withoutTest
} = KINDS.runTest;
const scan = { ...withoutTest, test: 'plain', ids: 'nobodys' } as const;
// @ts-expect-error `test` is absent
row('tests', 'scanning', 'pure', 'folder', 5, withoutTest);
// @ts-expect-error 'maybe' is no answer
row('tests', 'scanning', 'pure', 'folder', 5, { ...scan, test: 'maybe' });
// @ts-expect-error the prefix "nobodys" has no row, so nothing says which key signs its results
const prefixes: Readonly<Record<(typeof KINDS)[KindName]['ids'] | (typeof scan)['ids'], IdPrefix>> = ID_PREFIXES;
// @ts-expect-error a kind that reaches addresses needs a case in receivers.ts
const quiet: KindWith<'reaches', false> = 'runOnCluster';

test('given the types, then they refuse a forgotten decision', () => {
  expect([noFlagIsOptional, prefixes, quiet]).toHaveLength(3);
});
