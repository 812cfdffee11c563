import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Pipes, sweepPipes } from '../../../src/adapters/process/pipes.js';
import { newHome } from '../../support/run-body.js';

/** The pid of a process that was here, and is not any more. */
async function gonePid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid!;
}

test('when pipes are swept, then those of dead workers are removed, and other files stay', async () => {
  const temporary = await newHome();
  const gone = await gonePid();
  const folder = (name: string): string => {
    mkdirSync(join(temporary, name));
    return join(temporary, name);
  };
  execFileSync('mkfifo', [join(folder(`slipway-${gone}-aB3dE6`), 'pipe')]);
  folder(`slipway-${gone}-empty1`);
  execFileSync('mkfifo', [join(folder(`slipway-${process.pid}-living`), 'pipe')]);
  writeFileSync(join(folder(`slipway-${gone}-filled`), 'notes.txt'), 'somebody wrote this');
  const others = [`slipway-${gone}-toolong`, `slipway-${gone}`, 'slipway-abcdef', `x-slipway-${gone}-abcdef`];
  others.forEach(folder);
  writeFileSync(join(temporary, `slipway-${gone}-isfile`), '');
  expect(await sweepPipes(temporary)).toBe(2);
  const stay = [`slipway-${process.pid}-living`, `slipway-${gone}-filled`, `slipway-${gone}-isfile`, ...others];
  expect(
    readdirSync(temporary)
      .filter((name) => name.includes('slipway-'))
      .sort(),
  ).toEqual(stay.sort());
});

(process.getuid?.() === 0 ? test : test.skip)(
  '[D11] given a folder of another user by the name of a dead worker, when pipes are swept, then it is left alone',
  async () => {
    const temporary = await newHome();
    const folder = join(temporary, `slipway-${await gonePid()}-aB3dE6`);
    mkdirSync(folder);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    lchownSync(folder, 65_534, 65_534);
    expect(await sweepPipes(temporary)).toBe(0);
    expect(readdirSync(folder)).toEqual(['pipe']);
  },
);

test('given a pipe of this worker, then its folder has a name that the sweep knows', async () => {
  const pipe = await new Pipes().take();
  pipe.close();
  const folder = dirname(pipe.path);
  expect(dirname(folder)).toBe(tmpdir());
  expect(basename(folder)).toMatch(new RegExp(`^slipway-${process.pid}-[A-Za-z0-9]{6}$`));
  await sweepPipes();
  expect(readdirSync(tmpdir())).toContain(basename(folder));
  rmSync(folder, { recursive: true });
});
