/** @slow */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { packageRoot } from '../../src/adapters/home.js';
import { newHome } from '../support/run-body.js';

test('given an installation without tools/drill, then `slipway drill` says where to get it', async () => {
  const root = join(await newHome(), 'installed');
  mkdirSync(root);
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(packageRoot(), name), join(root, name));
  cpSync(join(packageRoot(), 'bin'), join(root, 'bin'), { recursive: true });
  const drill = join(packageRoot(), 'dist', 'drill');
  cpSync(join(packageRoot(), 'dist'), join(root, 'dist'), { recursive: true, filter: (path) => path !== drill });
  const argv = [join(root, 'bin', 'slipway.js'), 'drill', 'examples/skiff'];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect(stderr).toMatch(
    /DRILL_ABSENT \(config\) .*dist\/drill\/main\.js is missing\n\s+next: Run `npm run build` in a clone/,
  );
  expect(status).toBe(2);
});
