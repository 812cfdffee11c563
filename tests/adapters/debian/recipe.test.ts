import { execFileSync } from 'node:child_process';
import { debianLayers } from '../../../src/adapters/debian/layers.js';
import { judgeDebian } from '../../../src/adapters/debian/judge.js';
import { debianArguments } from '../../../src/adapters/debian/recipe.js';

test('given suite and packages, then the arguments name them and no mirror', () => {
  const argv = debianArguments({ suite: 'bookworm', packages: ['python3', 'gcc'], oci: null }, 'base.tar');
  expect(argv).toEqual(expect.arrayContaining(['--variant=minbase', '--include=python3,gcc']));
  expect(argv.slice(-2)).toEqual(['bookworm', 'base.tar']);
  expect(argv.join(' ')).not.toMatch(/https?:/);
});

test.each([
  [['E: Unable to locate package pyhton3'], 'DEBIAN_PACKAGE_UNKNOWN', 'config', 'pyhton3'],
  [['E: Failed to fetch InRelease  Connection timed out'], 'DEBIAN_UNREACHABLE', 'infra', 'bookworm'],
  [['dpkg: error processing package openjdk'], 'DEBIAN_BASE_FAILED', 'product', 'status 25'],
] as const)('given the output %j, then the problem has the matching code', (evidence, code, of, text) => {
  const problem = judgeDebian('bookworm', 25, evidence);
  expect(problem).toMatchObject({ code, class: of });
  expect(problem.message).toContain(text);
});

describe('packages added to a base', () => {
  const base = { suite: 'bookworm', packages: ['cmake', 'zip'], oci: null };

  test("given packages, then the base's own apt-get installs them, without a shell reading their names", () => {
    const [from, run] = debianLayers.dockerfile(base, 'slipway/bases/debian:abc').split('\n');
    const argv = JSON.parse(run!.slice('RUN '.length)) as string[];
    expect(from).toBe('FROM slipway/bases/debian:abc');
    expect(argv.slice(-3)).toEqual(['sh', 'cmake', 'zip']);
    expect(argv[3]).toContain('apt-get -q -y --no-install-recommends');
    expect(argv[3]).toContain('-o Acquire::Languages=none update');
    expect(execFileSync('sh', ['-n', '-c', argv[3]!], { encoding: 'utf8' })).toBe('');
  });

  test('given the architecture of this machine, then they can be added; for another one they cannot', () => {
    const own = process.arch === 'x64' ? 'linux/amd64' : 'linux/arm64';
    const other = process.arch === 'x64' ? 'linux/arm64' : 'linux/amd64';
    expect([null, own, other].map((oci) => debianLayers.fit({ ...base, oci }))).toEqual([true, true, false]);
  });
});
