import { extensionSuffix } from '../../../src/activities/wheels/cross-env.js';
import { aPlatform } from '../../support/a-platform.js';

test.each([
  ['linux-aarch64', 'glibc', '.cpython-312-aarch64-linux-gnu.so'],
  ['linux-x86_64', 'musl', '.cpython-312-x86_64-linux-musl.so'],
] as const)(
  'given the platform %s with %s, then the extension has the name that its Python looks for',
  (name, libc, suffix) => {
    expect(extensionSuffix('cp312', aPlatform(name, { libc: { name: libc, floor: '1.2' } }))).toBe(suffix);
  },
);
