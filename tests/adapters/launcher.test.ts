import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathLine } from '../../src/adapters/launcher.js';
import { packageRoot } from '../../src/adapters/home.js';

const bin = join(packageRoot(), 'bin');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'slipway-path-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('where `slipway` is not on the PATH, or is somebody else, the line to type', () => {
  expect(pathLine(folder)).toBe(`export PATH="${bin}:$PATH"`);
  writeFileSync(join(folder, 'slipway'), '');
  expect(pathLine(`${folder}:${bin}`)).toBe(`export PATH="${bin}:$PATH"`);
});

test('nothing where it is this checkout, by its folder or by a link such as npm makes', () => {
  expect(pathLine(`/nowhere:${bin}`)).toBeNull();
  symlinkSync(join(bin, 'slipway.js'), join(folder, 'slipway'));
  expect(pathLine(folder)).toBeNull();
});
