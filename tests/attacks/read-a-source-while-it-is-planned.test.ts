import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../../src/activities/step/workspace.js';
import { NO_PAST } from '../../src/adapters/facts/index.js';
import { planInChildProcess } from '../../src/adapters/facts/plan-in-child-process.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { fakeSignatures } from '../support/sign-plan.js';

const isRoot = process.getuid?.() === 0;
const OTHER = { uid: 65_534, gid: 65_534 };
const FILE = `slipway: 1
release: { name: skiff, version: '1.0' }
source: { git: ., commit: HEAD }
platforms: [linux-x86_64]
pythons: [cp311]
steps: { one: { run: 'true' } }
`;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-read-')));
  mkdirSync(join(folder, 'project'));
  // The home's own mode must not be what refuses.
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a project of one commit. */
function project(): string {
  const cwd = join(folder, 'project');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd, stdio: 'ignore' });
  writeFileSync(join(cwd, 'slipway.yaml'), FILE);
  writeFileSync(join(cwd, 'private.txt'), 'private source\n');
  git('init');
  git('add', '.');
  git('commit', '-m', 'one');
  return join(cwd, 'slipway.yaml');
}

/** The text that another user gets by reading a file. */
function readByAnother(path: string): string {
  const { status, stderr } = spawnSync('cat', [path], { ...OTHER, cwd: '/', env: { LC_ALL: 'C' }, encoding: 'utf8' });
  return status === 0 ? 'its bytes' : stderr.replace(/^.*: /, '').trim();
}

(isRoot ? test : test.skip)(
  `[D7] given a private source that is planned, when another user reads its temporary files, then the system refuses${isRoot ? '' : ' (left out: only root can start a program as another user)'}`,
  async () => {
    const file = project();
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o755 });
    const store = createDirectoryStore(join(home, 'store'));
    const answers: string[] = [];
    const putFile: typeof store.putFile = (path) => {
      if (!path.startsWith(dirname(file))) answers.push(readByAnother(path));
      return store.putFile(path);
    };
    const planner = planInChildProcess({
      ...{ env: { ...process.env, SLIPWAY_ROOTS: dirname(file) }, home, store: { ...store, putFile } },
      ...{ past: NO_PAST, signatures: fakeSignatures, stopped: () => new AbortController().signal },
      temporary: () => makePrivateFolder(home, 'planning'),
    });
    await planner.submit(file, 'local', {});
    expect(answers.length).toBeGreaterThan(1);
    expect(new Set(answers)).toEqual(new Set(['Permission denied']));
  },
);
