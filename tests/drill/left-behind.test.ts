import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leftBehind, processesOf } from '../../tools/drill/left-behind.js';
import { newHome } from '../support/run-body.js';

test('given a process in a work folder, its record and its folder, then they are orphans until they are gone', async () => {
  const home = await newHome();
  expect(await leftBehind(home, null)).toEqual([]);
  const work = join(home, 'work', 'abc', 'wheels-skiff-1');
  mkdirSync(work, { recursive: true });
  mkdirSync(join(home, 'running'));
  writeFileSync(join(home, 'running', 'one.json'), '{}');
  const child = spawn('sleep', ['1000'], { cwd: work });
  try {
    await once(child, 'spawn');
    const orphan = `process ${child.pid} sleep 1000`;
    expect(await leftBehind(home, null)).toEqual([orphan, 'record one.json', 'folder abc/wheels-skiff-1']);
    expect(processesOf(home)).toEqual([orphan]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  expect(processesOf(home)).toEqual([]);
});

test('given a process that only names the folder, then it is found too', async () => {
  const home = await newHome();
  const child = spawn('tail', ['-f', '/dev/null', join(home, 'log')]);
  try {
    await once(child, 'spawn');
    expect(processesOf(home)).toEqual([expect.stringContaining(`process ${child.pid} tail`)]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});
