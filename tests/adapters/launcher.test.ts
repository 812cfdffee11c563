import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathLine } from '../../src/adapters/launcher.js';
import { packageRoot } from '../../src/adapters/home.js';

const bin = join(packageRoot(), 'bin');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'slipway-path-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('given a PATH without our `slipway`, then the line to type is returned', () => {
  expect(pathLine(folder)).toBe(`export PATH="${bin}:$PATH"`);
  writeFileSync(join(folder, 'slipway'), '');
  expect(pathLine(`${folder}:${bin}`)).toBe(`export PATH="${bin}:$PATH"`);
});

test("given a PATH with this checkout, by folder or by npm's link, then nothing is returned", () => {
  expect(pathLine(`/nowhere:${bin}`)).toBeNull();
  symlinkSync(join(bin, 'slipway.js'), join(folder, 'slipway'));
  expect(pathLine(folder)).toBeNull();
});
