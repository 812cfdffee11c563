/** Stands between a worker and one program, in a session of its own. Whatever happens to the worker, the program's whole
 * process group ends: the worker's end of our stdin closes, and we send TERM, wait, and send KILL.
 * Imports node: only, because it starts once per command. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { groupLives, identityOf, opened, signalGroup } from './identity.js';
import type { Report, Running, Spec } from './protocol.js';

const REPORT_FD = 3;
const LOOK_AGAIN_MS = 50;
/** What is still there so long after KILL will not go by waiting. */
const KILLED_AFTER_MS = 1_000;

function report(line: Report): void {
  try {
    writeSync(REPORT_FD, `${JSON.stringify(line)}\n`);
  } catch {
    // Nobody listens any more; the group is ended all the same.
  }
}

/** Calls `start` with the first line, `stop` when the worker lets go of the pipe. */
function listen(start: (spec: Spec) => void, stop: () => void): void {
  let text = '';
  let started = false;
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (piece: string) => {
    if (started) return;
    text += piece;
    const end = text.indexOf('\n');
    if (end < 0) return;
    started = true;
    start(JSON.parse(text.slice(0, end)) as Spec);
    text = '';
  });
  process.stdin.on('end', stop).on('error', stop);
}

function writeRecord(spec: Spec, pgid: number): void {
  const running: Running = {
    cwd: spec.cwd,
    output: [1, 2].flatMap((fd) => opened('self', fd) ?? []).filter((name) => /^(pipe|socket):/.test(name)),
    group: identityOf(pgid),
    runner: identityOf(process.pid),
    worker: spec.worker,
  };
  mkdirSync(dirname(spec.record), { recursive: true });
  writeFileSync(`${spec.record}.new`, JSON.stringify(running));
  renameSync(`${spec.record}.new`, spec.record);
}

/** A program that no sweep could find again does not go on: where the record cannot be written (a full disk), it is ended. */
function recorded(spec: Spec, pgid: number): boolean {
  try {
    writeRecord(spec, pgid);
    return true;
  } catch (error) {
    signalGroup(pgid, 'SIGKILL');
    finish(spec, { say: 'failed', errno: (error as NodeJS.ErrnoException).code ?? String(error) });
    return false;
  }
}

/** Ends the group: TERM, KILL after the grace time, and `ended` once nobody of it runs.
 * `listed` is true for what KILL did not end: dead already, but reaped by nobody, or stuck in the kernel. */
function endGroup(pgid: number, graceMs: number, ended: (listed: boolean) => void): void {
  const killAt = Date.now() + graceMs;
  signalGroup(pgid, 'SIGTERM');
  signalGroup(pgid, 'SIGCONT');
  const look = (): void => {
    if (!groupLives(pgid)) return ended(false);
    if (Date.now() >= killAt + KILLED_AFTER_MS) return ended(true);
    if (Date.now() >= killAt) signalGroup(pgid, 'SIGKILL');
    setTimeout(look, LOOK_AGAIN_MS);
  };
  look();
}

function launch(spec: Spec): ChildProcess {
  const child = spawn(spec.argv[0]!, spec.argv.slice(1), {
    cwd: spec.cwd,
    env: { ...spec.env },
    detached: true,
    stdio: [spec.stdin === null ? 'ignore' : 'pipe', 'inherit', 'inherit'],
  });
  child.stdin?.on('error', () => undefined).end(spec.stdin);
  return child;
}

function statusOf(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Left for the sweep.
  }
}

function finish(spec: Spec, line: Report): void {
  for (const path of [spec.record, `${spec.record}.new`]) remove(path);
  report(line);
  process.exit(0);
}

class Run {
  private timedOut = false;
  private code: number | null = null;
  private ending = false;
  private groupEnded = false;

  constructor(
    private readonly spec: Spec,
    private readonly pgid: number,
  ) {}

  /** The program itself ended; what it left in its group ends too. */
  exited(code: number): void {
    this.code = code;
    if (this.groupEnded) this.tell();
    else this.end();
  }

  limit(): void {
    this.timedOut = this.code === null;
    this.end();
  }

  end(): void {
    if (this.ending) return;
    this.ending = true;
    endGroup(this.pgid, this.spec.graceMs, (listed) => {
      this.groupEnded = true;
      // A program that just died is heard of in the next moment.
      if (listed || this.code !== null) this.tell();
    });
  }

  private tell(): void {
    const code = this.code ?? 128 + constants.signals.SIGKILL;
    finish(this.spec, { say: 'ended', code, timedOut: this.timedOut });
  }
}

function main(): void {
  let run: Run | null = null;
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    if (run) run.end();
    else process.exit(0);
  };
  const start = (spec: Spec): void => {
    const child = launch(spec);
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish(spec, { say: 'failed', errno: error.code ?? error.message }),
    );
    if (child.pid === undefined) return;
    const current = (run = new Run(spec, child.pid));
    report({ say: 'started', pgid: child.pid });
    if (!recorded(spec, child.pid)) return;
    child.on('exit', (code, signal) => current.exited(statusOf(code, signal)));
    setTimeout(() => current.limit(), spec.limitMs).unref();
    if (stopped) current.end();
  };
  listen(start, stop);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}

main();
