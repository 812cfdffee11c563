import { linksOf, lostBetween, lostLink, offersOf, type Linked } from '../../src/model/python/links.js';

const file = (name: string, more: Partial<Linked> = {}): Linked => ({
  ...{ file: name, soname: null, needed: [], requires: {}, defines: [] },
  ...more,
});

test('given files of a wheel, then its links are the libraries that none of them is, with all their versions, sorted', () => {
  const links = linksOf([
    file('_sail.so', { needed: ['libre2.so.9', 'libc.so.6', 'libown.so.1'], requires: { 'libc.so.6': ['GLIBC_2.4'] } }),
    file('_mast.so', { needed: ['libc.so.6', 'liblocal-3f.so'], requires: { 'libc.so.6': ['GLIBC_2.17'] } }),
    file('libown-1a.so', { soname: 'libown.so.1' }),
    file('liblocal-3f.so'),
  ]);
  expect(Object.entries(links)).toEqual([
    ['libc.so.6', ['GLIBC_2.17', 'GLIBC_2.4']],
    ['libre2.so.9', []],
  ]);
});

test('given files of a base, then it offers those with a soname', () => {
  const files = [file('libz.so.1.3', { soname: 'libz.so.1', defines: ['ZLIB_1.2.9'] }), file('plugin.so')];
  expect(offersOf(files)).toEqual({ 'libz.so.1': ['ZLIB_1.2.9'] });
});

const FORMER = { 'libre2.so.9': [], 'libz.so.1': ['ZLIB_1.2.9', 'ZLIB_1.3'], __proto__: [] };

test.each([
  ['the same libraries', FORMER, {}],
  ['more libraries and versions', { ...FORMER, 'libre2.so.9': ['RE2_9'], 'libnew.so.1': [] }, {}],
  ['another soname', { 'libre2.so.10': [], 'libz.so.1': FORMER['libz.so.1'] }, { 'libre2.so.9': [] }],
  ['fewer symbol versions', { 'libre2.so.9': [], 'libz.so.1': ['ZLIB_1.3'] }, { 'libz.so.1': ['ZLIB_1.2.9'] }],
])('given a newer base with %s, then what is lost is %j', (_, now, lost) =>
  expect(lostBetween(FORMER, now)).toEqual(lost),
);

test.each([
  [{}, {}, null],
  [{ 'libre2.so.9': [] }, { 'libz.so.1': [] }, null],
  [{ 'libre2.so.9': [] }, { 'libre2.so.9': [] }, 'libre2.so.9'],
  [{ 'libz.so.1': ['ZLIB_1.3'] }, { 'libz.so.1': ['ZLIB_1.2.9'] }, null],
  [{ 'libz.so.1': ['ZLIB_1.2.9'] }, { 'libz.so.1': ['ZLIB_1.2.9'] }, 'ZLIB_1.2.9 of libz.so.1'],
  [{ toString: [] }, {}, null],
])('given a wheel that links %j and a base that lost %j, then the reason is %p', (links, lost, reason) =>
  expect(lostLink(links, lost)).toBe(reason),
);
