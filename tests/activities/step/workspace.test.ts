/** @slow */
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeWorkspace, slug } from '../../../src/activities/step/workspace.js';
import { newHome } from '../../support/run-body.js';

test('given two runs of one minute, then each has its own folder', async () => {
  const home = await newHome();
  const one = await makeWorkspace(home, '01a1fdf8-964c-750b-9be8-9a980445fc1e', 'wheels-skiff-1');
  const two = await makeWorkspace(home, '01a1fdf8-a021-7c11-8e02-40d1b2c3f5a6', 'wheels-skiff-1');
  expect(one.folder).not.toBe(two.folder);
  await two.remove();
  expect(existsSync(join(one.folder))).toBe(true);
});

const LONG = 'long_running_distributed_pytorch_pbt_failure.aws_with_many_nodes';

test.each([
  ['a name and a variant', 'tests/x-1', 'tests/x/1'],
  ['long names with one end', `tests/gpu_${LONG}`, `tests/cpu_${LONG}`],
])('given %s, then each step has its own slug, short enough for a path of a socket', (_, one, two) => {
  expect(slug(one)).not.toBe(slug(two));
  for (const step of [one, two]) expect(slug(step).length).toBeLessThanOrEqual(40);
});

test('given a short step id, then its slug has the whole id', () => {
  expect(slug('wheels/skiff/cp312')).toMatch(/^wheels-skiff-cp312-[0-9a-f]{8}$/);
});

describe('removing a workspace', () => {
  const RUN = '01a1fdf8-964c-750b-9be8-9a980445fc1e';
  const fill = (folder: string, files: number): void => {
    for (let at = 0; at < files; at += 1) writeFileSync(join(folder, String(at)), 'x');
  };

  test.each([0, 3, 150, 250, 2000])('given %d files in each of two folders, then it removes all', async (files) => {
    const home = await newHome();
    const { folder, remove } = await makeWorkspace(home, RUN, 'a-1');
    mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
    symlinkSync('/', join(folder, 'deep', 'link'));
    fill(folder, files);
    fill(join(folder, 'deep', 'er'), files);
    await remove();
    expect(existsSync(dirname(folder))).toBe(false);
  });

  test('given a read-only folder or a removed workspace, then it still succeeds', async () => {
    const home = await newHome();
    const { folder, remove } = await makeWorkspace(home, RUN, 'a-1');
    mkdirSync(join(folder, 'mod'));
    fill(join(folder, 'mod'), 2);
    chmodSync(join(folder, 'mod'), 0o500);
    await remove();
    expect(existsSync(dirname(folder))).toBe(false);
    await remove();
  });

  test('given leftovers of an attempt with the same name, then it happens before the next attempt', async () => {
    const home = await newHome();
    const first = await makeWorkspace(home, RUN, 'a-1');
    fill(first.folder, 3);
    rmSync(first.tmp, { recursive: true });
    const { folder, tmp } = await makeWorkspace(home, RUN, 'a-1');
    expect([folder, existsSync(join(folder, '0')), existsSync(tmp)]).toEqual([first.folder, false, true]);
  });
});
