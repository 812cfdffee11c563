/** @needs sandbox python */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { until } from '../support/until.js';

const OTHER = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

/** Lays a folder with a link to the victim into each probe of a sandbox that appears. */
const RACE = `import os
open('ready', 'w').close()
while not os.path.exists('stop'):
    for name in os.listdir('shared'):
        try:
            os.mkdir(f'shared/{name}/layer')
            os.symlink(os.environ['VICTIM'], f'shared/{name}/layer/link')
            open('won', 'w').close()
        except OSError:
            pass
`;

/** Looks for a sandbox in a process of its own, which takes the folder of temporary files from its environment. */
const PROBES = `const { findSandbox } = require(process.argv[1] + '/dist/adapters/process/sandbox.js');
for (let time = 0; time < 5; time += 1) console.log(typeof findSandbox());`;

let folder: string;
let racer: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-probe-'));
  chmodSync(folder, 0o777);
  mkdirSync(join(folder, 'shared'));
  chmodSync(join(folder, 'shared'), 0o1777);
});
afterEach(() => {
  racer?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

(isRoot ? test : test.skip)(
  '[D11] given another user who lays links into the probe of the sandbox, then no file of ours changes its mode',
  async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'key', { mode: 0o600 });
    racer = spawn('python3', ['-c', RACE], {
      ...OTHER,
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', VICTIM: victim },
    });
    await until(() => existsSync(join(folder, 'ready')));
    const env = { ...process.env, TMPDIR: join(folder, 'shared') };
    expect(execFileSync(process.execPath, ['-e', PROBES, packageRoot()], { env, encoding: 'utf8' })).toBe(
      'object\n'.repeat(5),
    );
    writeFileSync(join(folder, 'stop'), '');
    await until(() => racer!.exitCode !== null);
    expect(existsSync(join(folder, 'won'))).toBe(false);
    expect(statSync(victim).mode & 0o777).toBe(0o600);
  },
);
