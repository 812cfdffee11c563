/** @needs tools */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { toolsBin } from '../../../src/adapters/home.js';
import { type TagTarget, wheelFits } from '../../../src/model/python/wheel-tags.js';

/** Prints all tags that an installer of each target takes. */
const SCRIPT = `
import json, sys
from packaging import _manylinux, tags
_manylinux._have_compatible_abi = lambda executable, archs: True
out = []
for target in json.loads(sys.argv[1]):
    _manylinux._get_glibc_version = lambda: tuple(map(int, target['glibc'].split('.')))
    platforms = [*_manylinux.platform_tags([target['arch']]), 'linux_' + target['arch']]
    plain = target['python'].rstrip('t')
    version = (3, int(plain[3:]))
    every = [*tags.cpython_tags(version, [target['python']], platforms), *tags.compatible_tags(version, plain, platforms)]
    out.append([str(tag) for tag in every])
print(json.dumps(out))
`;

const TARGETS: readonly TagTarget[] = [
  { python: 'cp39', arch: 'x86_64', glibc: '2.31' },
  { python: 'cp311', arch: 'x86_64', glibc: '2.36' },
  { python: 'cp311', arch: 'aarch64', glibc: '2.36' },
  { python: 'cp313', arch: 'x86_64', glibc: '2.41' },
  { python: 'cp313t', arch: 'x86_64', glibc: '2.41' },
  { python: 'cp315t', arch: 'aarch64', glibc: '2.17' },
];

const minors = Array.from({ length: 18 }, (_, minor) => minor);
const PYTHONS = ['py2', 'py27', 'py3', 'cp3', 'cp27', ...minors.flatMap((minor) => [`py3${minor}`, `cp3${minor}`])];
const ABIS = [
  'none',
  'abi3',
  'abi3t',
  'cp27mu',
  ...minors.slice(8).flatMap((minor) => [`cp3${minor}`, `cp3${minor}t`]),
];
const PLATFORMS = [
  ...['any', 'win_amd64', 'macosx_11_0_arm64'],
  ...['x86_64', 'aarch64', 'i686'].flatMap((arch) =>
    [
      ...['linux', 'manylinux1', 'manylinux2010', 'manylinux2014', 'manylinux_3_0', 'musllinux_1_2'],
      ...Array.from({ length: 44 }, (_, minor) => `manylinux_2_${minor}`),
    ].map((name) => `${name}_${arch}`),
  ),
];

const TAGS = PYTHONS.flatMap((python) => ABIS.flatMap((abi) => PLATFORMS.map((platform) => [python, abi, platform])));

const taken = JSON.parse(
  execFileSync(join(toolsBin(), 'python'), ['-c', SCRIPT, JSON.stringify(TARGETS)], {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  }),
) as readonly (readonly string[])[];

test.each(TARGETS.map((target, index) => [target.python, target.glibc, target.arch, index] as const))(
  'given %s on glibc %s for %s, every tag fits if, and only if, packaging.tags lists it',
  (_python, _glibc, _arch, index) => {
    const listed = new Set(taken[index]);
    const fits = (tag: readonly string[]): boolean => {
      const [python = '', abi = '', platform = ''] = tag;
      return wheelFits(
        { project: 'skiff', version: '1', pythons: [python], abis: [abi], platforms: [platform] },
        TARGETS[index]!,
      );
    };
    expect(TAGS.filter((tag) => fits(tag) !== listed.has(tag.join('-'))).map((tag) => tag.join('-'))).toEqual([]);
    expect([...listed].filter((tag) => !fits(tag.split('-')))).toEqual([]);
  },
);
