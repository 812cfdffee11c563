import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

test('docs/reference says what the sources say', () => {
  const mode = process.env['UPDATE_GOLDEN'] ? [] : ['--check'];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/docs/main.mjs', ...mode], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
