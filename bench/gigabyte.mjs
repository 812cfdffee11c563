import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from './committed.mjs';
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

/** The memory of the worker whose step prints 1 GB: resident before, and at most meanwhile by the kernel's own count, in MB. */
export async function gigabyte({ root, folder }) {
  const project = join(folder, 'noise');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'slipway.yaml'), FILE);
  committed(project);
  return inHome({ root, home: join(folder, 'g') }, async (env) => {
    const { services } = JSON.parse(readFileSync(join(env.SLIPWAY_HOME, 'services.json'), 'utf8'));
    const pid = services['worker-linux-x86_64'].pid;
    const before = memoryMb(pid, 'VmRSS');
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
    const ms = await timed([process.execPath, join(root, 'bin', 'slipway.js'), 'run', project, '--wait'], { env });
    const most = memoryMb(pid, 'VmHWM');
    return [
      row('worker while a step prints 1 GB, against before', most, 'MB', { reference: before, goal: atMost(250) }),
      row('the release that prints 1 GB', ms / 1000, 's'),
    ];
  });
}

/** proc(5): sets VmHWM to what is resident now. */
const RESET_PEAK = '5';

const memoryMb = (pid, name) =>
  Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
