/** @slow */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

test('given docs/reference, then it equals what is generated from the sources', () => {
  const mode = process.env['UPDATE_GOLDEN'] ? [] : ['--check'];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/docs/main.mjs', ...mode], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
