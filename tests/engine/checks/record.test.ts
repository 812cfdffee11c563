import { recordFaults } from '../../../src/engine/checks/record.js';

const members = [
  { path: 'a,b.py', sha256: 'h', size: 1 },
  { path: 'x.dist-info/RECORD', sha256: 'r', size: 1 },
  { path: 'x.dist-info/RECORD.jws', sha256: 's', size: 1 },
];

test.each([
  ['a quoted path', '"a,b.py",sha256=h,1\r\nx.dist-info/RECORD,,\r\n'],
  ['a path with a comma and no quotes', 'a,b.py,sha256=h,1\n'],
])('%s is read', (_, record) => expect(recordFaults(record, members)).toEqual([]));

test('all faults are told, each with its file', () =>
  expect(recordFaults('b.py,sha256=h,1\n', members)).toEqual(['a,b.py is not listed', 'b.py is listed and not there']));
