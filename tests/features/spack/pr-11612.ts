import { boatyard, type Files } from './an-environment.js';

/** The environments of https://github.com/spack/spack/pull/11612, with locks of format 4 that a person wrote for them. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** `readline`, `centos7` → `readlinecentoshijk…` */
const hashOf = (...parts: readonly string[]): string => {
  const own = parts.join('').replaceAll(/[^a-z2-7]/g, '');
  return `${own}${LETTERS}`.slice(0, 32);
};

interface Said {
  readonly version: string;
  readonly os: string;
  readonly compiler: string;
  readonly needs?: readonly string[];
}

/** A spec of a lock of format 4. Its dependencies have the same system and compiler. */
function node(name: string, { version, os, compiler, needs = [] }: Said): readonly [string, object] {
  const [called, of] = compiler.split('@');
  const hash = hashOf(name, os, compiler);
  const dependencies = needs.map((one) => ({ name: one, hash: hashOf(one, os, compiler), type: ['build', 'link'] }));
  const arch = { platform: 'linux', platform_os: os, target: 'x86_64' };
  return [
    hash,
    {
      name,
      version,
      arch,
      compiler: { name: called, version: of },
      namespace: 'builtin',
      parameters: {},
      dependencies,
      hash,
    },
  ];
}

const lockOf = (roots: Readonly<Record<string, string>>, nodes: readonly (readonly [string, object])[]): string =>
  JSON.stringify({
    _meta: { 'file-type': 'spack-lockfile', 'lockfile-version': 4, 'specfile-version': 3 },
    spack: { version: '0.18.0', type: 'release' },
    roots: Object.entries(roots).map(([spec, hash]) => ({ hash, spec })),
    concrete_specs: Object.fromEntries(nodes),
  });

/** readline with the two packages that it needs. */
const stack = (os: string, compiler: string) => [
  node('readline', { version: '7.0', os, compiler, needs: ['ncurses'] }),
  node('ncurses', { version: '6.1', os, compiler, needs: ['pkgconf'] }),
  node('pkgconf', { version: '1.6.1', os, compiler }),
];

const RUNNERS = `
  gitlab-ci:
    mappings:
    - spack-cloud-ubuntu:
      match: [os=ubuntu18.04]
      runner-attributes: { tags: [spack-k8s], image: scottwittenburg/spack_builder_ubuntu_18.04 }
    - spack-cloud-centos:
      match: [os=centos7]
      runner-attributes: { tags: [spack-k8s, large], image: { name: scottwittenburg/spack_builder_centos_7, entrypoint: [''] } }
`;

/** Six jobs in three stages, on two runners. */
export const PLAIN: Files = {
  'env/spack.yaml': `spack:
  definitions:
  - pkgs: [readline@7.0]
  - compilers: ['%gcc@5.5.0']
  - oses: [os=ubuntu18.04, os=centos7]
  specs:
  - matrix:
    - [$pkgs]
    - [$compilers]
    - [$oses]
  mirrors: { cloud_gitlab: 'https://mirror.example' }${RUNNERS}  cdash:
    build-group: Release Testing
    url: https://cdash.example
    project: Spack Testing
    site: Spack AWS Gitlab Instance
`,
  'env/spack.lock': lockOf(
    Object.fromEntries(
      ['ubuntu18.04', 'centos7'].map((os) => [`readline@7.0 os=${os} %gcc@5.5.0`, hashOf('readline', os, 'gcc@5.5.0')]),
    ),
    ['ubuntu18.04', 'centos7'].flatMap((os) => stack(os, 'gcc@5.5.0')),
  ),
};

const COMPILERS = ['gcc@6.5.0', 'llvm@6.0.1'];
const SYSTEMS = ['centos7', 'ubuntu18.04'];

/** Compilers first, each built by what is there, then readline with each of them. */
export const BOOTSTRAP: Files = {
  'env/spack.yaml': `spack:
  definitions:
  - compiler-pkgs:
    - matrix: [['gcc@6.5.0', 'llvm@6.0.1'], [os=centos7, os=ubuntu18.04]]
  - compilers: ['%gcc@6.5.0', '%clang@6.0.1']
  specs:
  - matrix: [[readline@7.0], [$compilers], [os=centos7, os=ubuntu18.04]]${RUNNERS}    bootstrap:
    - name: compiler-pkgs
      compiler-agnostic: true
`,
  'env/compiler-pkgs/spack.lock': lockOf(
    Object.fromEntries(
      COMPILERS.flatMap((one) =>
        SYSTEMS.map((os) => [`${one} os=${os}`, hashOf(one.split('@')[0]!, os, 'gcc@4.8.5')] as const),
      ),
    ),
    SYSTEMS.flatMap((os) => [
      node('gcc', { version: '6.5.0', os, compiler: 'gcc@4.8.5', needs: ['gmp'] }),
      node('llvm', { version: '6.0.1', os, compiler: 'gcc@4.8.5' }),
      node('gmp', { version: '6.1.2', os, compiler: 'gcc@4.8.5' }),
    ]),
  ),
  'env/spack.lock': lockOf(
    Object.fromEntries(
      ['gcc@6.5.0', 'clang@6.0.1'].flatMap((one) =>
        SYSTEMS.map((os) => [`readline@7.0 os=${os} %${one}`, hashOf('readline', os, one)] as const),
      ),
    ),
    SYSTEMS.flatMap((os) => [...stack(os, 'gcc@6.5.0'), ...stack(os, 'clang@6.0.1')]),
  ),
};

/** Files of a commit with one of them. */
export const commitOf = (files: Files): Files => ({ ...boatyard(), ...files });
