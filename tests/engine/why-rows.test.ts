import { rowsNamed } from '../../src/engine/why/rows.js';
import type { Rows } from '../../src/model/rows.js';

const row = (subject: string) => ({ subject, verdict: 'build', reason: 'sdist only', origin: null });
const SUBJECTS = [
  'zope-interface==7.1.1 debian-12 cp311',
  'zope-interface==7.1.1 debian-13 cp313',
  'zope-interface==6.0 debian-13 cp313',
  'many_tasks.aws',
  'ncurses@6.4 /gccypu6',
  'ncurses@6.5 /mv7bflu',
];
const ROWS: Rows = { slipway: 1, rows: { 'wheels/constraints': SUBJECTS.map(row) } };
const named = (said: string): readonly string[] => rowsNamed(ROWS, said).map(({ subject }) => subject);

test.each([
  ['a whole subject', 'zope-interface==6.0 debian-13 cp313', [2]],
  ['a project', 'zope-interface', [0, 1, 2]],
  ['a project as people spell it', 'Zope.Interface', [0, 1, 2]],
  ['a project and its version', 'zope_interface==7.1.1', [0, 1]],
  ['a version that no row has', 'zope-interface==7.1', []],
  ['a test', 'many_tasks.aws', [3]],
  ['a part of a name', 'many', []],
  ['a package', 'ncurses', [4, 5]],
  ['a package and its version', 'ncurses@6.4', [4]],
  ['the first digits of a hash', '/mv7', [5]],
  ['a whole hash', '/gccypu6abcdefghijklmnopqrstuvwx', [4]],
  ['a hash that no row has', '/zzzz', []],
])('given %s, when it is looked up, then exactly its rows are found', (_, said, places) => {
  expect(named(said)).toEqual(places.map((place) => SUBJECTS[place]));
});
