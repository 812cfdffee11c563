import { faultOf, type MemberFacts } from '../../../src/engine/checks/archive.js';

const member = (more: Partial<MemberFacts>): MemberFacts => ({
  name: 'skiff/a.c',
  kind: 'file',
  target: null,
  ...more,
});

describe('members of an archive', () => {
  test.each<[string, Partial<MemberFacts>]>([
    ['a file', {}],
    ['a name with dots', { name: 'skiff/..hidden/a..c' }],
    ['a link to its neighbour', { kind: 'link', target: 'b.c' }],
    ['a link to a folder above that is inside', { name: 'skiff/a/b', kind: 'link', target: '../c' }],
    ['a hard link by the archive’s own name', { kind: 'hardlink', target: 'skiff/b.c' }],
  ])('given %s, then it is accepted', (_, more) => expect(faultOf(member(more))).toBeNull());

  test.each<[string, Partial<MemberFacts>, RegExp]>([
    ['..', { name: 'skiff/../../a' }, /leads out/],
    ['an absolute name', { name: '/etc/passwd' }, /absolute name/],
    ['a drive', { name: 'C:/a' }, /absolute name/],
    ['a backslash', { name: 'skiff\\..\\a' }, /backslash/],
    ['a device', { kind: 'other' }, /neither/],
    ['a link out', { kind: 'link', target: '../../a' }, /link out/],
    ['an absolute link', { kind: 'link', target: '/etc/passwd' }, /absolute path/],
    ['a link to nothing', { kind: 'link', target: '' }, /nowhere/],
    ['a hard link out', { kind: 'hardlink', target: '../a' }, /link out/],
  ])('given %s, then it is refused', (_, more, why) => expect(faultOf(member(more))).toMatch(why));
});
