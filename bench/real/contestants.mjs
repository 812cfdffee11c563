import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from '../committed.mjs';
import { cpuMs, groupMs, endedChildrenMs } from '../cpu.mjs';
import { timed } from '../measure.mjs';
import { clocked } from './clock.mjs';
import { makefile, ninjafile, releaseFile } from './graph.mjs';
import { judged } from './judged.mjs';
import queues from './queues.cjs';

export async function byUs({ root, at, env, steps, burn, round }) {
  const project = join(at, `project-${round}`);
  const log = join(at, `ours-${round}`);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'slipway.yaml'), releaseFile(steps, burn(log), `1.0.${round}`));
  committed(project);
  const command = [process.execPath, join(root, 'bin', 'slipway.js'), 'run', project, '--wait'];
  return judged(steps, log, await clocked(partsOf(env), () => timed(command, { env })));
}

/** Our processes; those of other services are in everything else. */
function partsOf({ SLIPWAY_HOME }) {
  const { services } = JSON.parse(readFileSync(join(SLIPWAY_HOME, 'services.json'), 'utf8'));
  const of = (name) => () => cpuMs(services[name].pid);
  return {
    'the server': () => groupMs(services.temporal.pid),
    'the worker of workflows': of('worker-workflows'),
    'the worker of steps': of('worker-linux-x86_64'),
    'the worker of control': of('worker-control'),
    'the client': endedChildrenMs,
  };
}

export const byMake = (bench) => byOther('make', ['-s', `-j${queues.SLOTS}`], makefile, bench);
export const byNinja = (bench) => byOther('ninja', ['--quiet', `-j${queues.SLOTS}`], ninjafile, bench);

async function byOther(program, options, write, { at, steps, burn }) {
  if (spawnSync(program, ['--version']).error) return null;
  const log = join(at, `${program}.log`);
  const file = join(at, `${program}.file`);
  rmSync(log, { force: true });
  writeFileSync(file, write(steps, burn(log)));
  const command = [program, ...options, '-f', file];
  return judged(steps, log, await clocked({}, () => timed(command, { cwd: at, stdio: 'ignore' })));
}
