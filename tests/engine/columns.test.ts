import { fc } from '../support/fixed-seed.js';
import { apart, together, type CarriedCell } from '../../src/engine/handover/carried-cell.js';
import { column, ofColumn, ofEdges, ofIds, packedEdges, packedIds } from '../../src/engine/handover/columns.js';

const numbers = fc.array(fc.nat(60), { maxLength: 12 });

test('ids come out of their parcel as they went in', () => {
  const ids = fc.array(
    fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom('a/t', 'a/t9/', '9'), fc.nat(1100)).map(([at, no]) => `${at}${no}`),
    ),
  );
  fc.assert(fc.property(ids, (all) => expect(ofIds(packedIds(all))).toEqual(all)));
  const counted = ['tests/t098', 'tests/t099', 'tests/t100', 'tests/t101', 'wheels/cp39', 'wheels/cp310'];
  expect(ofIds(packedIds(counted))).toEqual(counted);
  expect(packedIds(counted)).toEqual([0, 'tests/t098', -3, 0, 'wheels/cp39', 10, '10']);
  expect(ofIds(packedIds(['x9', 'x10', 'x09', 'x010']))).toEqual(['x9', 'x10', 'x09', 'x010']);
});

test('edges and columns come out as they went in', () => {
  fc.assert(
    fc.property(fc.array(numbers), (all) => {
      const texts = all.map((edges, step) => packedEdges(edges, step));
      const told = ofColumn(column(texts), all.length);
      expect(told.map((text, step) => ofEdges(text, step))).toEqual(all);
    }),
  );
  expect(column(['100', '100', '100', '', '', '7'])).toBe('100*3,*2,7');
});

test('what is the matter with many steps is told once', () => {
  const rows = fc.uniqueArray(fc.tuple(fc.nat(400), fc.nat(2), fc.nat(1)), { selector: ([step]) => step });
  const byStep = (all: readonly CarriedCell[]): readonly CarriedCell[] => [...all].sort(([a], [b]) => a - b);
  fc.assert(
    fc.property(rows, (all) => {
      const told = together(all);
      expect(byStep(apart(told))).toEqual(byStep(all));
      expect(new Set(told.map(([, ...matter]) => matter.join())).size).toBe(told.length);
    }),
  );
});
