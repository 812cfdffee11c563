import { isUnderstood, parseSpec } from '../../../src/features/spack/pure/spec/parse.js';
import { printSpec } from '../../../src/features/spack/pure/spec/print.js';
import { intersects, merged, satisfies } from '../../../src/features/spack/pure/spec/relate.js';
import type { Spec } from '../../../src/features/spack/pure/spec/spec.js';

function read(text: string): Spec {
  const spec = parseSpec(text);
  if (!isUnderstood(spec)) throw new Error(`${text}: ${spec.why}`);
  return spec;
}

test.each([
  ['zlib', 'zlib'],
  ['builtin.zlib @1.2 , 1.5:', 'builtin.zlib@1.2,1.5:'],
  ['zlib@=1.2~shared +pic', 'zlib@=1.2+pic~shared'],
  ['zlib cflags="-O2 -g" ++debug', "zlib cflags='-O2 -g' ++debug"],
  ['zlib build_type=Release languages:=cxx,c', 'zlib build_type=Release languages:=c,cxx'.replace('c,cxx', 'c,cxx')],
  ['zlib debug=true', 'zlib+debug'],
  ['zlib arch=linux-debian12-x86_64', 'zlib platform=linux os=debian12 target=x86_64'],
  ['zlib target=x86_64_v2:,aarch64', 'zlib target=x86_64_v2:,aarch64'],
  ['zlib %gcc@12.2: ^mpi %clang', 'zlib %gcc@12.2: ^mpi %clang'],
  ['zlib %c,cxx=gcc@12 ^[virtuals=mpi] mpich', 'zlib %c,cxx=gcc@12 ^mpi=mpich'],
  ['@1.2:1.4', '@1.2:1.4'],
  ['zlib/abc', 'zlib /abc'],
])('given %s, then it is printed as %s', (text, printed) => {
  expect(printSpec(read(text))).toBe(printed);
  expect(printSpec(read(printed))).toBe(printed);
});

test.each([
  ['zlib @git.main=1.2', 'its version is a commit or a branch'],
  ['zlib hdf5', 'hdf5 is a second spec'],
  ['zlib@1@2', 'it has two versions'],
  ['zlib+a~a', 'it names a twice'],
  ['zlib target=k99:', 'the target k99 is not known'],
  ['zlib %[when=+a] gcc', 'the edge has [when=+a]'],
  ['zlib $x', 'nothing is known that begins with "$x"'],
  ['z'.repeat(10_001), 'it has 10001 characters'],
])('given %s, then it is not understood', (text, why) => {
  expect(parseSpec(text)).toEqual({ why });
});

const [YES, NO] = [true, false];
/** Two specs; whether the first satisfies the second, whether they intersect, and both as one. */
test.each([
  ['zlib@1.2.3', 'zlib@1.2', YES, YES, 'zlib@1.2.3'],
  ['zlib@1.2', 'zlib@1.2.3', NO, YES, 'zlib@1.2.3'],
  ['zlib@=1.2', 'zlib@1.2', YES, YES, 'zlib@=1.2'],
  ['zlib@1.2.3', 'zlib@=1.2', NO, NO, null],
  ['zlib@=1.2', '@:1.2.3', YES, YES, 'zlib@=1.2'],
  ['zlib@:1.2', '@1.2.3', NO, YES, 'zlib@1.2.3'],
  ['zlib@1.10', 'zlib@1.9:', YES, YES, 'zlib@1.10'],
  ['zlib@develop', 'zlib@2023.1:', YES, YES, 'zlib@develop'],
  ['zlib@main', 'zlib@develop:', NO, NO, null],
  ['zlib@=1.2rc1', 'zlib@1.2:', NO, NO, null],
  ['zlib@1.2,1.5:', 'zlib@:1.6', NO, YES, 'zlib@1.2,1.5:1.6'],
  ['zlib', 'hdf5', NO, NO, null],
  ['zlib+pic', '~pic', NO, NO, null],
  ['zlib', '+pic', NO, YES, 'zlib+pic'],
  ['zlib languages=c,cxx', 'languages=c', YES, YES, 'zlib languages=c,cxx'],
  ['zlib languages:=c', 'languages=c,cxx', NO, NO, null],
  ['zlib debug=release', 'debug=*', YES, YES, 'zlib debug=release'],
  ['zlib cflags="-O2 -g"', 'cflags=-g', YES, YES, "zlib cflags='-O2 -g'"],
  ['zlib os=debian12', 'os=centos7', NO, NO, null],
  ['zlib target=haswell', 'target=x86_64_v2:', YES, YES, 'zlib target=haswell'],
  ['zlib target=zen3', 'target=:x86_64_v2', NO, NO, null],
  ['zlib target=x86_64:', 'target=:x86_64_v3', YES, YES, 'zlib target=x86_64:x86_64_v3'],
  ['zlib target=aarch64', 'target=x86_64:', NO, NO, null],
  ['zlib %gcc@12.2', '%gcc@12:', YES, YES, 'zlib %gcc@12.2'],
  ['zlib %clang', '%llvm', YES, YES, 'zlib %clang'],
  ['zlib %c=gcc', '%gcc', YES, YES, 'zlib %c=gcc'],
  ['zlib %gcc', '%c=gcc', NO, YES, 'zlib %c=gcc'],
  ['zlib ^mpi=mpich', '^mpi', YES, YES, 'zlib ^mpi=mpich ^mpi'],
  ['zlib ^mpich@3', '^mpich@4', NO, NO, null],
  ['zlib/abcd', 'zlib/ab', YES, YES, 'zlib /abcd'],
])('given %s and %s, then Spack relates them so', (a, b, satisfied, intersecting, both) => {
  const [one, other] = [read(a), read(b)];
  const made = merged(one, other);
  expect([satisfies(one, other), intersects(one, other), intersects(other, one)]).toEqual([
    satisfied,
    ...[intersecting, intersecting],
  ]);
  expect(made && printSpec(made)).toBe(both);
});

test('given a spec of 10,000 signs, then it is read at once', () => {
  const began = performance.now();
  for (const piece of ['+', '%', 'a=', 'a.', '@1:', '^[', '"', ':']) parseSpec(piece.repeat(10_000 / piece.length));
  expect(performance.now() - began).toBeLessThan(2_000);
});
