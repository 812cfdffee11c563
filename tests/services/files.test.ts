import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageRoot } from '../../src/adapters/home.js';
import { readJson, writeJson } from '../../src/services/files.js';

const BUILT = join(packageRoot(), 'dist', 'services', 'files.js');
const WRITER = `const { writeJson } = require(${JSON.stringify(BUILT)});
for (let i = 0; i < 300; i++) writeJson(process.argv[1], { i, padding: 'x'.repeat(100_000) });`;

describe('writeJson', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('when it is done, then the file has the value, and no temporary file is left', () => {
    writeJson(join(folder, 'deep', 'one.json'), { a: 1 });
    expect(readJson(join(folder, 'deep', 'one.json'))).toEqual({ a: 1 });
    expect(readdirSync(join(folder, 'deep'))).toEqual(['one.json']);
  });

  it('when another process writes, then a reader sees only whole values', async () => {
    const path = join(folder, 'busy.json');
    writeJson(path, { padding: 'x'.repeat(100_000) });
    const writer = spawn(process.execPath, ['-e', WRITER, path]);
    const gone = once(writer, 'exit');
    let [looks, broken] = [0, 0];
    while (writer.exitCode === null && writer.signalCode === null) {
      looks += 1;
      if (readJson(path) === null) broken += 1;
      await new Promise(setImmediate);
    }
    expect(await gone).toEqual([0, null]);
    expect({ some: looks > 0, broken }).toEqual({ some: true, broken: 0 });
  });
});
