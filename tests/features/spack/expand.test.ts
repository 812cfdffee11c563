import { readEnvironment } from '../../../src/features/spack/pure/environment.js';
import type { Host } from '../../../src/features/spack/pure/when-words.js';
import { noFacts } from '../../../src/importers/asks.js';

/** Roots with their groups, or why they are not told; and each problem with its line. */
function expanded(yaml: string, host: Host = {}) {
  const found: string[] = [];
  const complain = ({ code, place, message }: { code: string; place?: { line?: number }; message: string }): void =>
    void found.push(`${code}:${place?.line}: ${message}`);
  const around = { host, repositories: [], facts: noFacts() };
  const text = `spack:\n${yaml.replaceAll(/^/gm, '  ')}`;
  const roots = readEnvironment(text, 'spack.yaml', complain, around)!.roots(complain);
  return { roots, found };
}

function rootsOf(yaml: string, host?: Host) {
  const { roots, found } = expanded(yaml, host);
  expect(found).toEqual([]);
  return 'why' in roots ? roots : roots.roots.map(({ spec, group }) => (group === null ? spec : `${group}: ${spec}`));
}

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
  [
    'groups, which are labels',
    'specs: [zlib, { group: tools, specs: [{ matrix: [[cmake, ninja], [target=x86_64]] }], override: {} }]',
    ['tools: cmake target=x86_64', 'tools: ninja target=x86_64', 'zlib'],
  ],
  ['no specs', 'view: false', []],
])('given %s, then the roots are those of Spack', (_, yaml, roots) => {
  expect(rootsOf(yaml)).toEqual(roots);
});

test.each([
  ['os == "debian12"', ['hdf5', 'zlib']],
  ['os == "rhel8"', ['hdf5']],
])('given a definition with when: %s, then it counts where the condition holds', (when, roots) => {
  const yaml = `definitions: [{ some: [hdf5] }, { some: [zlib], when: '${when}' }]\nspecs: [$some]`;
  expect(rootsOf(yaml, { os: 'debian12' })).toEqual(roots);
});

test.each([
  ['the spec "zlib@git.main" is not understood: its version is a commit or a branch', 'specs: [zlib@git.main]'],
  ['a spec has the key "groups"', 'specs: [{ groups: tools, specs: [zlib] }]'],
])('given a file of which "%s", then its roots are not compared', (why, yaml) => {
  expect(rootsOf(yaml)).toEqual({ why });
});

const MANY = `[{ matrix: [${Array(6).fill(`[${'a=1, a=2, a=3, a=4, a=5, a=6, a=7, a=8, a=9, a=0'}]`).join()}] }]`;

test.each([
  ['an undefined name', 'specs:\n- $some', ['DEFINITION_UNDEFINED:3: nothing defines $some']],
  [
    'names that need each other',
    'definitions:\n- a: [$b]\n- b: [$a]\nspecs: [$a]',
    ['DEFINITION_CYCLE:4: definitions need each other: $a needs $b needs $a'],
  ],
  [
    'a matrix that contradicts itself',
    'specs:\n- matrix: [[zlib@1], ["@2"]]',
    ['MATRIX_CONTRADICTS:3: no spec is both "zlib@1" and "@2"'],
  ],
  [
    '10⁶ combinations',
    `specs: ${MANY}`,
    ['MATRIX_TOO_LARGE:2: the matrix makes 1000000 specs, and an environment has at most 20000'],
  ],
  [
    'a condition on what nobody said',
    'definitions:\n- a: [zlib]\n  when: os == "rhel8"\nspecs: [$a]',
    ['WHEN_UNKNOWN:4: the condition asks for os, and `host` of the import does not say it'],
  ],
  [
    'a condition in Python',
    `definitions:\n- a: [zlib]\n  when: __import__('os').system('true')\nspecs: []`,
    ['WHEN_NOT_UNDERSTOOD:4: the condition is not understood: "__import__" is not known'],
  ],
  [
    'a condition of 100 kB',
    `definitions:\n- a: [zlib]\n  when: "${'x'.repeat(100_000)}"\nspecs: []`,
    ['WHEN_NOT_UNDERSTOOD:4: the condition is not understood: it has 100000 characters, and at most 2000 are read'],
  ],
  [
    'several of them',
    'specs:\n- $some\n- $other\n- matrix: [[zlib@1], ["@2"]]',
    [
      'DEFINITION_UNDEFINED:3: nothing defines $some',
      'DEFINITION_UNDEFINED:4: nothing defines $other',
      'MATRIX_CONTRADICTS:5: no spec is both "zlib@1" and "@2"',
    ],
  ],
])('given %s, then planning names code and line', (_, yaml, found) => {
  expect(expanded(yaml).found).toEqual(found);
});
