import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, SlipwayFailure, type Problem } from '../model/failure.js';
import { engineGone, tooSlow } from './errors.js';
import { endGroup, killRest, type ProcessRecord, type Started } from './process-record.js';
import type { Service } from './service.js';
import type { ServiceStatus } from './status.js';
import { logFile } from './folders.js';
import { pause, until } from './poll.js';

/** Time for the first answer of a running process; restarting it on a busy machine takes longer still. */
const READY_LIMIT_MS = 5 * 60_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/** Keeps one service running: starts it, waits for its answer, restarts it when it ends. */
export class Keeper {
  status: ServiceStatus;
  /** 0 while the process is down, and always for an unmanaged service. */
  pid = 0;
  private failures = 0;
  private failedTimes = 0;
  private waiting = new AbortController();
  private wasSettled = false;
  /** True while a requested end is under way, which is no failure. */
  private asked = false;
  private readonly stop = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private started: Started | null = null;
  /** True from a start that made what workers read until the service answers. */
  private isRenewed = false;

  constructor(
    readonly service: Service,
    private readonly home: string,
    private readonly record: ProcessRecord,
    private readonly onChange: () => void,
    private readonly onRenewed: () => void,
  ) {
    this.status = { state: 'waiting', failedTimes: 0, log: logFile(home, service.name) };
  }

  begin(): void {
    this.running = this.keep();
  }

  /** Ends the service for good. */
  async end(): Promise<void> {
    this.stop.abort();
    await this.endOnce();
    await this.running;
    this.change({ state: 'ended' });
  }

  /** Ends the process; `keep` starts it again at once. */
  async restart(): Promise<void> {
    this.failures = 0;
    this.asked = this.started !== null;
    this.change({ state: 'starting' });
    await this.endOnce();
  }

  /** Retries a failed service at once. */
  nudge(): void {
    if (this.status.state !== 'failing') return;
    this.failures = 0;
    this.waiting.abort();
  }

  private async endOnce(): Promise<void> {
    if (this.started !== null) await endGroup(this.started, this.service.endWithinMs);
  }

  private async keep(): Promise<void> {
    while (!this.stop.signal.aborted) {
      try {
        await this.once();
      } catch (error) {
        this.fail(error instanceof Error ? error.message : String(error), configProblem(error));
      }
      this.waiting = new AbortController();
      await pause(this.waitMs(), AbortSignal.any([this.stop.signal, this.waiting.signal]));
    }
  }

  private async once(): Promise<void> {
    const begun = performance.now();
    this.change({ state: this.failures > 0 ? 'failing' : 'starting' });
    await this.service.prepare(() => (this.isRenewed = true));
    // `end` may have been called meanwhile. No await follows before the process is recorded.
    if (this.stop.signal.aborted) return;
    if (!this.service.managed) return this.watchStranger(begun);
    const child = this.launch();
    const gone = new AbortController();
    const exit = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `status ${code}`}`));
    }).finally(() => gone.abort());
    try {
      await this.greet(begun, gone.signal);
      const readyAt = performance.now();
      const how = await exit;
      if (performance.now() - readyAt > LONGEST_WAIT_MS) this.failures = 0;
      if (!this.asked && !this.stop.signal.aborted) this.fail(how);
    } finally {
      await this.endOnce();
      await exit;
      this.asked = false;
      this.forget();
    }
  }

  /** Waits for the first answer. Returns if the process ends before; the caller reports that. */
  private async greet(begun: number, gone: AbortSignal): Promise<void> {
    const answered = await until(() => this.service.answers(this.pid), READY_LIMIT_MS, gone);
    if (!answered) {
      if (!gone.aborted) throw fail(tooSlow(this.service.name, READY_LIMIT_MS));
      return;
    }
    if (this.isRenewed && this.wasSettled) this.onRenewed();
    this.isRenewed = false;
    if (!this.wasSettled) await this.service.settle();
    this.wasSettled = true;
    this.change({ state: 'ready', tookMs: performance.now() - begun });
  }

  private async watchStranger(begun: number): Promise<void> {
    if (!(await this.service.answers(0))) throw fail(engineGone());
    this.change({ state: 'ready', tookMs: performance.now() - begun });
    while (!this.stop.signal.aborted && (await this.service.answers(0))) await pause(5_000, this.stop.signal);
  }

  private launch(): ChildProcess {
    const { argv, cwd, env, stdout, scrubbed, sockets = [] } = this.service.launch();
    const log = openLog(this.status.log);
    const out = stdout === undefined ? log : openLog(stdout);
    try {
      const child = spawn(argv[0], argv.slice(1), {
        cwd: cwd ?? this.home,
        env: { ...(scrubbed ? {} : process.env), ...env },
        stdio: ['ignore', out, log, ...sockets],
        detached: true,
      });
      this.pid = child.pid ?? 0;
      // Records synchronously: if this process is killed, the next supervisor finds the child.
      this.started = child.pid === undefined ? null : this.record.add(this.service.name, child.pid);
      return child;
    } finally {
      closeSync(log);
      if (out !== log) closeSync(out);
    }
  }

  private forget(): void {
    if (this.started === null) return;
    killRest(this.started);
    this.record.forget(this.started.pid);
    this.started = null;
    this.pid = 0;
  }

  private fail(problem: string, mend?: Problem): void {
    this.failures += 1;
    this.failedTimes += 1;
    this.change({ state: 'failing', problem, failedTimes: this.failedTimes, ...(mend ? { mend } : {}) });
  }

  private waitMs(): number {
    return this.failures === 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (this.failures - 1), LONGEST_WAIT_MS);
  }

  private change(change: Omit<ServiceStatus, 'log' | 'failedTimes'> & { failedTimes?: number }): void {
    const problem = change.problem ?? (change.state === 'failing' ? this.status.problem : undefined);
    const { log, failedTimes } = this.status;
    this.status = { log, failedTimes, ...change, ...(problem === undefined ? {} : { problem }) };
    this.onChange();
  }
}

/** Returns a configuration problem, which no restart fixes. */
const configProblem = (error: unknown): Problem | undefined =>
  error instanceof SlipwayFailure && error.first.class === 'config' ? error.first : undefined;

/** Opens a log for appending: it may be truncated while the service runs. */
function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, 'a');
}
