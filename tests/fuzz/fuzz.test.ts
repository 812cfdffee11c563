/** @slow */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const SEED = '20261122';

/** Runs a file of tools/fuzz on the built code. */
async function fuzz(file: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const argv = [join(ROOT, 'tools', 'fuzz', file), ...args];
    return { code: 0, ...(await promisify(execFile)(process.execPath, argv, { cwd: ROOT, maxBuffer: 1 << 26 })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

test('given stored finds, when their readers run again, then none fails', async () => {
  expect(JSON.parse((await fuzz('again.cjs')).stdout)).toEqual({});
});

test('given a fixed seed, when every reader gets mutants, then none crashes, hangs or grows', async () => {
  const { code, stdout } = await fuzz('main.mjs', '--inputs', '1000', '--seed', SEED);
  expect(stdout).toMatch(/^1000 inputs in .* min, seed 20261122: 0 found\n$/);
  expect(code).toBe(0);
});

test('given a find whose reader was removed, then it is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-found-'));
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ reader: 'tea leaves', found: 'x', input: '' }));
  expect(JSON.parse((await fuzz('again.cjs', folder)).stdout)).toEqual({ 'a.json': 'no reader "tea leaves"' });
});

/** Readers that are broken on purpose, to see that the search sees it. */
test.each([
  ['throws', 'crash'],
  ['loops', 'hang'],
  ['grows', 'growth'],
  ['rejects later', 'escaped'],
])('given a reader that %s, then it is found with its kind, and the file to paste is printed', async (only, kind) => {
  const { code, stdout } = await fuzz('main.mjs', '--inputs', '1', '--seed', SEED, '--only', `broken: ${only}`);
  expect(code).toBe(1);
  expect(stdout).toContain(`broken: ${only}, input 0, ${kind}: `);
  expect(stdout).toMatch(
    new RegExp(`tests/fuzz/found/broken-${only.replace(' ', '-')}-0\\.json:\\n\\{"reader":"broken`),
  );
  expect(stdout).toMatch(/^1 inputs? in .*: 1 found$/m);
});

test.each([
  [['--minutes', 'x'], '--minutes x'],
  [['--seed', '1'], 'is missing'],
  [['--minutes', '1', '--seed', 'a'], '--seed a'],
  [['--hours', '1'], '--hours'],
])('given the arguments %j, then they are refused with what to type', async (args, text) => {
  const { code, stderr } = await fuzz('main.mjs', ...args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) });
  expect(stderr).toContain('npm run fuzz -- --minutes 10');
});
