import { judgeDebian } from '../../../src/adapters/debian/judge.js';
import { debianArguments } from '../../../src/adapters/debian/recipe.js';

test('a base is named by suite and packages, and no mirror is', () => {
  const argv = debianArguments({ suite: 'bookworm', packages: ['python3', 'gcc'], oci: null }, 'base.tar');
  expect(argv).toEqual(expect.arrayContaining(['--variant=minbase', '--include=python3,gcc']));
  expect(argv.slice(-2)).toEqual(['bookworm', 'base.tar']);
  expect(argv.join(' ')).not.toMatch(/https?:/);
});

test.each([
  [['E: Unable to locate package pyhton3'], 'DEBIAN_PACKAGE_UNKNOWN', 'config', 'pyhton3'],
  [['E: Failed to fetch InRelease  Connection timed out'], 'DEBIAN_UNREACHABLE', 'infra', 'bookworm'],
  [['dpkg: error processing package openjdk'], 'DEBIAN_BASE_FAILED', 'product', 'status 25'],
] as const)('%j', (evidence, code, of, text) => {
  const problem = judgeDebian('bookworm', 25, evidence);
  expect(problem).toMatchObject({ code, class: of });
  expect(problem.message).toContain(text);
});
