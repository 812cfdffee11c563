import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs } from '../cpu.mjs';

/** A process of its own, whose CPU and memory can be read, and which can be killed and started again as it was. */
export class Child {
  #child = null;

  /** @param log file for what it says
   * @param isReady asked until it answers true */
  constructor({ name, argv, env, cwd, log, isReady }) {
    Object.assign(this, { name, argv, env, cwd, log, isReady });
  }

  get pid() {
    return this.#child.pid;
  }

  async start() {
    const out = openSync(this.log, 'a');
    const [program, ...rest] = this.argv;
    const child = (this.#child = spawn(program, rest, { cwd: this.cwd, env: this.env, stdio: ['ignore', out, out] }));
    while (!(await this.isReady(child.pid))) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${this.name} ended: ${readFileSync(this.log, 'utf8').slice(-2000)}`);
      await pause(20);
    }
  }

  /** Resolves when nothing of it runs any more. */
  async kill(signal = 'SIGKILL') {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** CPU that it used since it was started, its threads' too. */
  cpuMs = () => cpuMs(this.pid);

  rssMb = () => this.#memory('VmRSS');
  /** The most that it had since it was started. */
  peakMb = () => this.#memory('VmHWM');

  #memory(name) {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  }
}

export const isLinux = existsSync('/proc/self/stat');

/** A worker that serves (serve.cjs) wrote its own pid there. */
export const wrotePid = (ready) => (pid) => existsSync(ready) && readFileSync(ready, 'utf8') === String(pid);
