import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { CONTROL } from '../../src/model/ids.js';

/** Loaded before a worker. It ends the worker by SIGKILL right before its n-th write below a folder: a link creates a
 * file there, a rename swaps a page. */
const PRELOAD = `
const fs = require('node:fs');
const { KILL_BELOW, KILL_AT, KILL_LOG } = process.env;
if (KILL_AT && (process.argv[1] || '').endsWith('workers/main.js')) {
  let writes = 0;
  const counted = (of, name) => {
    const act = of[name];
    of[name] = (...args) => {
      const to = String(args[1]);
      if (to.startsWith(KILL_BELOW) && ++writes === Number(KILL_AT)) {
        fs.appendFileSync(KILL_LOG, to.slice(KILL_BELOW.length + 1) + '\\n');
        process.kill(process.pid, 'SIGKILL');
      }
      return act(...args);
    };
  };
  counted(fs, 'linkSync');
  counted(fs.promises, 'rename');
}
`;

export interface MortalWorkers {
  /** Paths below the folder that were about to be written when a worker of control ended, in order. */
  killedAt(): readonly string[];
  stop(): Promise<void>;
}

export interface Mortality {
  readonly home: string;
  readonly server: string;
  /** Folder whose writes are counted. */
  readonly below: string;
  /** Number of the write before which each worker of control ends, one after another. The last one lives. */
  readonly killAt: readonly number[];
  /** Each so-manieth kill takes the worker of workflows along. */
  readonly both: number;
}

/** Starts the real workers of one home, and starts each again that was killed. */
export function startMortalWorkers({ home, server, below, killAt, both }: Mortality): MortalWorkers {
  const [preload, killed, log] = ['kill.cjs', 'killed', 'workers.log'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(preload, PRELOAD);
  appendFileSync(killed, '');
  const out = openSync(log, 'a');
  let isOver = false;
  const running = new Set<ChildProcess>();
  const start = (role: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess => {
    const env = { ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: server, SLIPWAY_ROOTS: tmpdir(), ...more };
    const main = join(packageRoot(), 'dist', 'workers', 'main.js');
    const child = spawn(process.execPath, [main, ...role], { env, stdio: ['ignore', out, out] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const keep = async (role: readonly string[]): Promise<void> => {
    while (!isOver) await once(start(role), 'exit');
  };
  const workflows = ['--workflows'];
  const control = async (): Promise<void> => {
    for (let life = 0; !isOver; life += 1) {
      const mortal = life < killAt.length;
      const dying = {
        KILL_BELOW: below,
        KILL_AT: String(killAt[life]),
        KILL_LOG: killed,
        NODE_OPTIONS: `--require=${preload}`,
      };
      await once(start(['--queue', CONTROL], mortal ? dying : {}), 'exit');
      const others = [...running].filter(({ spawnargs }) => spawnargs.includes(workflows[0]!));
      if (mortal && life % both === both - 1) others.forEach((child) => child.kill('SIGKILL'));
    }
  };
  const lives = Promise.all([keep(workflows), keep(['--queue', 'linux-x86_64']), control()]);
  return {
    killedAt: () => (existsSync(killed) ? readFileSync(killed, 'utf8').split('\n').filter(Boolean) : []),
    stop: async () => {
      isOver = true;
      running.forEach((child) => child.kill('SIGKILL'));
      await lives;
    },
  };
}
