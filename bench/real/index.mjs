import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inHome } from '../example.mjs';
import { middle, timed } from '../measure.mjs';
import { notTaken, ratioAtMost, row } from '../rows.mjs';
import { costs } from './costs.mjs';
import { criticalMs, layers, makefile, ninjafile, releaseFile } from './graph.mjs';

const SLOTS = 2;

/** Real work on two slots: the same graph of the same commands by Slipway, GNU make and ninja, one after another in turn. What is
 * work is what the commands themselves used of the CPU, each time anew. */
export async function real({ root, folder, steps: count, runs: asked, note }) {
  const at = join(folder, 'real');
  mkdirSync(at, { recursive: true });
  if (availableParallelism() < SLOTS)
    return [notTaken(title(count), 's', `this machine has fewer than ${SLOTS} cores`)];
  const burn = calibrated(root, at, note);
  const steps = layers(count);
  const rounds = [];
  await inHome({ root, home: join(folder, 'r') }, async (env) => {
    for (let round = 1; round <= (asked ?? 1); round++) {
      const ours = await byUs({ root, at, env, steps, burn, round });
      const make = await byOther('make', ['-s', `-j${SLOTS}`], makefile, { at, steps, burn });
      const ninja = await byOther('ninja', ['--quiet', `-j${SLOTS}`], ninjafile, { at, steps, burn });
      rounds.push({ ours, make, ninja });
      note(`real, round ${round}: ${JSON.stringify(rounds.at(-1))}`);
    }
  });
  return rowsOf(count, rounds);
}

const title = (count) => `real work, ${count} steps on ${SLOTS} slots, against`;

function rowsOf(count, rounds) {
  const of = (take) => middle(rounds.map(take));
  const ours = of((round) => round.ours.seconds);
  const named = title(count);
  const against = (reference, most) => ({ reference, goal: ratioAtMost(most) });
  const rows = [
    row(
      `${named} the bound`,
      ours,
      's',
      against(
        of((round) => round.ours.bound),
        1.05,
      ),
    ),
  ];
  for (const other of ['make', 'ninja']) {
    const there = rounds.every((round) => round[other] !== null);
    const name = `${named} ${other} -j${SLOTS}`;
    if (there)
      rows.push(
        row(
          name,
          ours,
          's',
          against(
            of((round) => round[other].seconds),
            1.1,
          ),
        ),
      );
    else rows.push(notTaken(name, 's', `no ${other} on this machine`, ratioAtMost(1.1)));
    if (there)
      rows.push(
        row(
          `${other} -j${SLOTS} on that graph, against its bound`,
          of((round) => round[other].seconds),
          's',
          {
            reference: of((round) => round[other].bound),
          },
        ),
      );
  }
  const parts = Object.keys(rounds[0].ours.costs);
  return [
    ...rows,
    ...parts.map((part) =>
      row(
        `real work: CPU a step of ${part}`,
        of((round) => round.ours.costs[part]),
        'ms',
      ),
    ),
  ];
}

/** The command of a step as a shell line; how many turns make a millisecond is measured once. */
function calibrated(root, at, note) {
  const python = realpathSync(join(root, '.tools', 'bin', 'python3'));
  const script = join(root, 'bench', 'real', 'burn.py');
  const argv = [python, '-I', '-S', script];
  const log = join(at, 'calibration');
  const usedMs = (turns) => {
    const all = Array.from({ length: 5 }, () => {
      rmSync(log, { force: true });
      execFileSync(argv[0], [...argv.slice(1), String(turns), log, 'x']);
      return Number(readFileSync(log, 'utf8').split(' ')[1]) / 1000;
    });
    return Math.min(...all);
  };
  const TURNS = 10_000_000;
  const start = usedMs(0);
  const turnsPerMs = TURNS / (usedMs(TURNS) - start);
  note(`real: a command takes ${start.toFixed(1)} ms to start, then ${turnsPerMs.toFixed(0)} turns a millisecond`);
  return (log) =>
    ({ name, cpuMs }) =>
      `${argv.join(' ')} ${Math.round((cpuMs - start) * turnsPerMs)} ${log} ${name}`;
}

async function byUs({ root, at, env, steps, burn, round }) {
  const project = join(at, `project-${round}`);
  const log = join(at, `ours-${round}`);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'slipway.yaml'), releaseFile(steps, burn(log), `1.0.${round}`));
  const git = (...argv) => execFileSync('git', ['-C', project, '-c', 'user.name=b', '-c', 'user.email=b@b', ...argv]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'bench');
  const before = costs(env);
  const ms = await timed([process.execPath, join(root, 'bin', 'slipway.js'), 'run', project, '--wait'], { env });
  const after = costs(env);
  const spent = Object.fromEntries(
    Object.keys(before).map((part) => [part, (after[part] - before[part]) / steps.length]),
  );
  return { ...judged(steps, log, ms), costs: spent };
}

async function byOther(program, options, write, { at, steps, burn }) {
  if (spawnSync(program, ['--version']).error) return null;
  const log = join(at, `${program}.log`);
  const file = join(at, `${program}.file`);
  rmSync(log, { force: true });
  writeFileSync(file, write(steps, burn(log)));
  return judged(steps, log, await timed([program, ...options, '-f', file], { cwd: at, stdio: 'ignore' }));
}

/** How long it took, how much of that the commands worked, and how long nothing could do it faster. */
function judged(steps, log, ms) {
  if (!existsSync(log)) throw new Error(`no step wrote its line into ${log}`);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const cpuMs = new Map(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1]) / 1000]));
  if (lines.length !== steps.length || cpuMs.size !== steps.length)
    throw new Error(`${lines.length} commands ran, of ${cpuMs.size} steps; ${steps.length} were to run once each`);
  const work = [...cpuMs.values()].reduce((sum, one) => sum + one, 0);
  const bound = Math.max(criticalMs(steps, cpuMs), work / SLOTS);
  return { seconds: ms / 1000, work: work / 1000, bound: bound / 1000 };
}
