import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inHome } from './example.mjs';
import { timed } from './measure.mjs';
import { atMost, row } from './rows.mjs';

const FILE = `slipway: 1
release: { name: noise, version: 1.0.0 }
source: { git: ., commit: HEAD }
platforms: [linux-x86_64]
pythons: [cp311]
steps:
  noise: { run: 'yes slipway | head -c 1073741824' }
`;

/** The memory of the worker whose step prints 1 GB: resident before, and at most meanwhile, in MB. */
export async function gigabyte({ root, folder }) {
  const project = join(folder, 'noise');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'slipway.yaml'), FILE);
  const git = (...argv) => execFileSync('git', ['-C', project, '-c', 'user.name=b', '-c', 'user.email=b@b', ...argv]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'noise');
  return inHome({ root, home: join(folder, 'g') }, async (env) => {
    const { services } = JSON.parse(readFileSync(join(env.SLIPWAY_HOME, 'services.json'), 'utf8'));
    const pid = services['worker-linux-x86_64'].pid;
    const before = residentMb(pid);
    let most = before;
    let ended = false;
    const release = timed([process.execPath, join(root, 'bin', 'slipway.js'), 'run', project, '--wait'], { env });
    const watching = release.finally(() => (ended = true));
    while (!ended) {
      most = Math.max(most, residentMb(pid));
      await Promise.race([pause(200), watching.catch(() => undefined)]);
    }
    await watching;
    return [
      row('worker while a step prints 1 GB, against before', most, 'MB', { reference: before, goal: atMost(250) }),
      row('the release that prints 1 GB', (await release) / 1000, 's'),
    ];
  });
}

const residentMb = (pid) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
