import { recordFaults } from '../../../src/engine/checks/record.js';

const members = [
  { path: 'a,b.py', sha256: 'h', size: 1 },
  { path: 'x.dist-info/RECORD', sha256: 'r', size: 1 },
  { path: 'x.dist-info/RECORD.jws', sha256: 's', size: 1 },
];

test.each([
  ['a quoted path', '"a,b.py",sha256=h,1\r\nx.dist-info/RECORD,,\r\n'],
  ['a path with a comma and no quotes', 'a,b.py,sha256=h,1\n'],
])('given a RECORD with %s, then it is parsed without faults', (_, record) =>
  expect(recordFaults(record, members)).toEqual([]),
);

test('given several faults in a RECORD, then each fault names its file', () =>
  expect(recordFaults('b.py,sha256=h,1\n', members)).toEqual(['a,b.py is not listed', 'b.py is listed and not there']));
