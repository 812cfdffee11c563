import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../src/adapters/home.js';
import { atMost } from '../../../src/adapters/store/directory.js';
import { newHome } from '../../support/run-body.js';

test('given a limit, then no more tasks run at once, all get their turn, and a failure frees its place', async () => {
  const oneOf = atMost(3);
  let [now, most] = [0, 0];
  const act = async (no: number): Promise<number> => {
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    if (no % 5 === 0) throw new Error(`no ${no}`);
    return no;
  };
  const ended = await Promise.allSettled(Array.from({ length: 50 }, (_, no) => oneOf(() => act(no))));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
  expect({ now, most }).toEqual({ now: 0, most: 3 });
});

test('given a low limit of open files, then a process reads five thousand records at once', async () => {
  const script = `
    const { createDirectoryStore } = require('./dist/adapters/store/directory.js');
    const store = createDirectoryStore(process.argv[1]);
    store.create('all/one', { a: 1 })
      .then(() => Promise.all(Array.from({ length: 5000 }, () => store.read('all/one'))))
      .then((all) => console.log(all.filter(({ a }) => a === 1).length));`;
  const line = 'ulimit -n 256; exec "$@"';
  const argv = ['-c', line, 'bash', process.execPath, '-e', script, join(await newHome(), 'store')];
  expect(execFileSync('bash', argv, { cwd: packageRoot(), encoding: 'utf8' })).toBe('5000\n');
});
