import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { runActivities } from '../../src/workers/activities.js';
import { fakeSignatures } from '../support/sign-plan.js';
import { until } from '../support/until.js';

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-killed-')))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Replaces git by a program that never ends. Returns the variables with it. */
function withHangingGit(): NodeJS.ProcessEnv {
  mkdirSync(join(folder, 'bin'));
  const git = join(folder, 'bin', 'git');
  writeFileSync(
    git,
    `#!/bin/sh\necho $$ $PPID > ${folder}/pids.new\nmv ${folder}/pids.new ${folder}/pids\nexec sleep 1000\n`,
  );
  chmodSync(git, 0o755);
  return { ...process.env, PATH: `${folder}/bin${delimiter}${process.env['PATH']}`, SLIPWAY_ROOTS: folder };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test.each(['makePlan', 'planBisect'] as const)(
  'given a process of %s that Linux ends, then Temporal may plan again, and nothing of it is left',
  async (name) => {
    const home = join(folder, 'home');
    const file = join(folder, 'slipway.yaml');
    execFileSync('git', ['init', '-q', folder]);
    writeFileSync(
      file,
      `slipway: 1
${name === 'planBisect' ? 'pipeline: { name: skiff, label: date }' : "release: { name: skiff, version: '1.0' }"}
source: { git: ., commit: HEAD }
platforms: [linux-x86_64]
pythons: [cp311]
steps: { one: { run: 'true' } }
`,
    );
    const around = {
      store: createDirectoryStore(join(home, 'store')),
      signatures: fakeSignatures,
      env: withHangingGit(),
      home,
    };
    const fleet = { unserved: async () => [], slots: async () => ({}) };
    const activities = runActivities({ ...around, waitsFor: () => null } as never, fleet as never);
    const [good, bad] = ['a', 'b'].map((digit) => digit.repeat(40));
    const bisect = { profile: 'local', test: 'sail', ways: 3, good, bad };
    const input = { file, run: '01a1b2c3-0000-4000-8000-000000000000', workflowId: 'rehearsal/skiff/1.0', ...bisect };
    const failed = expect(new MockActivityEnvironment().run(activities[name] as never, input)).rejects.toMatchObject({
      ...{ type: 'PLANNING_KILLED', nonRetryable: false },
    });
    await until(() => existsSync(join(folder, 'pids')));
    const [git, planning] = readFileSync(join(folder, 'pids'), 'utf8').split(' ').map(Number);
    process.kill(planning!, 'SIGKILL');
    await failed;
    await until(() => !isAlive(git!));
    expect(readdirSync(join(home, 'work', 'planning'))).toEqual([]);
  },
);
