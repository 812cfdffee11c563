import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkspace } from '../../../src/activities/step/workspace.js';
import { newHome } from '../../support/run-body.js';

test('two runs of one minute have folders of their own', async () => {
  const home = await newHome();
  const one = await makeWorkspace(home, '01a1fdf8-964c-750b-9be8-9a980445fc1e', 'wheels-skiff-1');
  const two = await makeWorkspace(home, '01a1fdf8-a021-7c11-8e02-40d1b2c3f5a6', 'wheels-skiff-1');
  expect(one.folder).not.toBe(two.folder);
  await two.remove();
  expect(existsSync(join(one.folder))).toBe(true);
});
