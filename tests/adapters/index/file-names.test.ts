import { sameVersion } from '../../../src/adapters/index/file-names.js';

test.each([
  ['2026.01.05', '2026.1.5'],
  ['1.0.0', '1.0'],
  ['v1.2', '1.2'],
  ['1.0-rc.1', '1.0rc1'],
  ['1.0.beta', '1.0b0'],
  ['1.0-alpha2.dev3', '1.0a2.dev3'],
  ['1.0-1', '1.0.post1'],
  ['1.0-rev2', '1.0.post2'],
  ['1.0+cpu-2', '1.0+cpu.2'],
])('%s is written %s in a file name', (written, named) => expect(sameVersion(written, named)).toBe(true));

test.each([
  ['1.0', '1.0.1'],
  ['1.0', '10'],
  ['1.0', '1.0rc1'],
  ['1.0.post1', '1.0.dev1'],
  ['1.0+cpu', '1.0'],
  ['1.10', '1.1'],
  ['1.0', ''],
])('%s is not %s', (a, b) => expect(sameVersion(a, b)).toBe(false));
