import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants as modes, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { endGroup, whenGone } from './ending.js';
import { identityOf, opened, signalGroup } from './identity.js';
import { type Running, type Spec, STATUS_FD, type ProgramEvent } from './protocol.js';

/** setTimeout fires at once above this delay. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Tell = (told: ProgramEvent) => void;

/** One program and its process group, from its start until the group has ended. Calls `tell` once with the end. */
export class Supervised {
  private child: ChildProcess | null = null;
  private pgid = 0;
  private timedOut = false;
  private code: number | null = null;
  private ending = false;
  private groupEnded = false;
  /** First process of the sandbox; it ends after all others inside. */
  private first: number | null = null;
  private limit: NodeJS.Timeout | null = null;
  /** Read ends of the output: without a reader, SIGPIPE would kill the program. */
  private output: number[] = [];

  constructor(
    private readonly spec: Spec,
    private readonly tell: Tell,
  ) {}

  launch(): void {
    if (this.ending) return this.finish({ say: 'ended', code: 128 + constants.signals.SIGTERM, timedOut: false });
    const child = this.start();
    if (child === null) return;
    this.child = child;
    child.on('error', (error: NodeJS.ErrnoException) =>
      this.finish({ say: 'failed', errno: error.code ?? error.message }),
    );
    if (child.pid === undefined) return;
    this.pgid = child.pid;
    this.tell({ say: 'started', pgid: child.pid });
    if (!this.recorded()) return;
    child.stdio[STATUS_FD]?.on('data', (text: Buffer) => (this.first ??= firstIn(String(text))));
    child.on('exit', (code, signal) => this.exited(statusOf(code, signal)));
    this.limit = setTimeout(() => this.over(), Math.min(this.spec.limitMs, LONGEST_TIMER_MS));
  }

  /** Ends the group: SIGTERM, then SIGKILL after the grace time. Reports the end once the group is gone. */
  end(): void {
    if (this.ending) return;
    this.ending = true;
    if (this.child?.pid === undefined) return;
    endGroup(this.pgid, this.spec, (listed) => {
      this.groupEnded = true;
      // The exit event of a program that just died arrives in the next moment.
      if (listed || this.code !== null) this.ended();
    });
  }

  /** Discards the output after the worker died, so that the program can use its grace time. */
  drain(): void {
    for (const fd of this.output.splice(0)) new Socket({ fd, writable: false }).on('error', () => undefined).resume();
  }

  /** The program has exited; the rest of its group ends too. */
  private exited(code: number): void {
    this.code = code;
    if (this.groupEnded) return this.ended();
    if (this.first === null || this.ending) return this.end();
    this.ending = true;
    // The kernel kills it with bubblewrap, and with it all other processes inside.
    whenGone(this.first, () => this.ended());
  }

  private over(): void {
    this.timedOut = this.code === null;
    this.end();
  }

  private ended(): void {
    const code = this.code ?? 128 + constants.signals.SIGKILL;
    this.finish({ say: 'ended', code, timedOut: this.timedOut });
  }

  /** Ends a program whose record cannot be written (full disk): no sweep could find it. */
  private recorded(): boolean {
    try {
      writeRecord(this.spec, this.pgid);
      return true;
    } catch (error) {
      signalGroup(this.pgid, 'SIGKILL');
      this.finish({ say: 'failed', errno: (error as NodeJS.ErrnoException).code ?? String(error) });
      return false;
    }
  }

  /** Null if the spawn fails before a process exists: a NUL byte in an argument, or no pipe to write to. */
  private start(): ChildProcess | null {
    try {
      const { child, output } = spawned(this.spec);
      this.output = output;
      return child;
    } catch (error) {
      this.finish({ say: 'failed', errno: (error as NodeJS.ErrnoException).code ?? String(error) });
      return null;
    }
  }

  private finish(told: ProgramEvent): void {
    if (this.limit) clearTimeout(this.limit);
    this.output.splice(0).forEach((fd) => closeSync(fd));
    for (const path of [this.spec.record, `${this.spec.record}.new`]) remove(path);
    this.tell(told);
  }
}

/** Spawns in a new session. The parent closes its write ends at once, because they would keep the output open. */
function spawned(spec: Spec): { readonly child: ChildProcess; readonly output: number[] } {
  const [output, ends]: [number[], number[]] = [[], []];
  try {
    for (const path of [spec.stdout, spec.stderr]) {
      // Opening a pipe for writing blocks without a reader, so the read end comes first.
      output.push(openSync(path, modes.O_RDONLY | modes.O_NONBLOCK));
      ends.push(openSync(path, modes.O_WRONLY));
      remove(path);
    }
    const status = spec.boxed ? (['pipe'] as const) : [];
    const child = spawn(spec.argv[0]!, spec.argv.slice(1), {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: [spec.stdin === null ? 'ignore' : 'pipe', ...ends, ...status],
    });
    child.stdin?.on('error', () => undefined).end(spec.stdin);
    return { child, output };
  } catch (error) {
    output.forEach((fd) => closeSync(fd));
    throw error;
  } finally {
    ends.forEach((fd) => closeSync(fd));
  }
}

/** Parses bubblewrap's status: `{ "child-pid": 4711, … }`. */
function firstIn(status: string): number | null {
  const pid = /"child-pid": (\d+)/.exec(status)?.[1];
  return pid === undefined ? null : Number(pid);
}

function writeRecord(spec: Spec, pgid: number): void {
  const running: Running = {
    cwd: spec.cwd,
    output: [1, 2].flatMap((fd) => opened(pgid, fd) ?? []).filter((name) => isOurs(name, spec)),
    group: identityOf(pgid),
    runner: identityOf(process.pid),
    worker: spec.worker,
  };
  mkdirSync(dirname(spec.record), { recursive: true });
  writeFileSync(`${spec.record}.new`, JSON.stringify(running));
  renameSync(`${spec.record}.new`, spec.record);
}

/** The program may have redirected its output to a file that others write too. */
const isOurs = (name: string, { stdout, stderr }: Spec): boolean =>
  [stdout, stderr].some((path) => name.startsWith(path));

function statusOf(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The sweep removes it.
  }
}
