import { readEnvironment } from '../../../src/features/spack/pure/environment.js';

const rootsOf = (yaml: string) =>
  readEnvironment(`spack:\n${yaml.replaceAll(/^/gm, '  ')}`, 'spack.yaml', (problem) => expect(problem).toBeNull())!
    .roots;

test.each([
  ['specs', 'specs: [zlib@1.2, hdf5 +mpi]', ['hdf5+mpi', 'zlib@1.2']],
  [
    'a matrix, the last row first',
    'specs: [{ matrix: [[zlib, hdf5], ["%gcc", "%clang"]] }]',
    ['hdf5 %clang', 'hdf5 %gcc', 'zlib %clang', 'zlib %gcc'],
  ],
  [
    'what is excluded',
    'specs: [{ matrix: [[zlib, hdf5], ["%gcc", "%clang"]], exclude: [hdf5 %clang] }]',
    ['hdf5 %gcc', 'zlib %clang', 'zlib %gcc'],
  ],
  [
    'definitions of one name, which are one list',
    'definitions: [{ some: [zlib] }, { some: [hdf5] }]\nspecs: [$some]',
    ['hdf5', 'zlib'],
  ],
  [
    'a sigil, which belongs to its use',
    'definitions: [{ tools: [gcc@12] }]\nspecs: [{ matrix: [[zlib], [$%tools]] }, $tools]',
    ['gcc@12', 'zlib %gcc@12'],
  ],
  [
    'a matrix in a definition and in a row',
    'definitions: [{ some: [{ matrix: [[zlib, hdf5], [+pic]] }] }]\nspecs: [{ matrix: [[$some], [target=x86_64]] }]',
    ['hdf5+pic target=x86_64', 'zlib+pic target=x86_64'],
  ],
  ['no specs', 'view: false', []],
])('given %s, then the roots are those of Spack', (_, yaml, roots) => {
  expect(rootsOf(yaml)).toEqual({ roots });
});

test.each([
  ['nothing defines $some in this file', 'specs: [$some]'],
  ['$a needs $b needs $a', 'definitions: [{ a: [$b] }, { b: [$a] }]\nspecs: [$a]'],
  ['"zlib@1" contradicts "@2"', 'specs: [{ matrix: [[zlib@1], ["@2"]] }]'],
  [
    'matrices make more than 20000 specs',
    `specs: [{ matrix: [${Array(6).fill('[a=1, a=2, a=3, a=4, a=5, a=6]').join()}] }]`,
  ],
  [
    'a definition has `when`, which asks about the machine',
    'definitions: [{ a: [zlib], when: \'arch.satisfies("x86_64:")\' }]',
  ],
  ['the spec "zlib@git.main" is not understood: its version is a commit or a branch', 'specs: [zlib@git.main]'],
  ['a spec has the key "group"', 'specs: [{ group: tools, specs: [zlib] }]'],
])('given a file of which "%s", then its roots are not compared', (why, yaml) => {
  expect(rootsOf(yaml)).toEqual({ why });
});
