import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants as modes, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { endGroup, whenGone } from './ending.js';
import { identityOf, opened, signalGroup } from './identity.js';
import { type Running, type Spec, STATUS_FD, type ProgramEvent } from './protocol.js';

/** setTimeout takes no more, and fires at once instead. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Tell = (told: ProgramEvent) => void;

/** One program and its process group, from its start until nothing of it runs. `tell` hears of its end once. */
export class Supervised {
  private child: ChildProcess | null = null;
  private pgid = 0;
  private timedOut = false;
  private code: number | null = null;
  private ending = false;
  private groupEnded = false;
  /** First process of the sandbox: it ends once all others in there have ended. */
  private first: number | null = null;
  private limit: NodeJS.Timeout | null = null;
  /** Reading ends of its output: without a reader, what it prints would end it. */
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

  /** TERM, KILL after the grace time, and the end is told once nobody of the group runs. */
  end(): void {
    if (this.ending) return;
    this.ending = true;
    if (this.child?.pid === undefined) return;
    endGroup(this.pgid, this.spec, (listed) => {
      this.groupEnded = true;
      // A program that just died is heard of in the next moment.
      if (listed || this.code !== null) this.ended();
    });
  }

  /** Takes the output in place of a worker that is gone: the program still has its time to end. */
  drain(): void {
    for (const fd of this.output.splice(0)) new Socket({ fd, writable: false }).on('error', () => undefined).resume();
  }

  /** The program itself ended; what it left in its group ends too. */
  private exited(code: number): void {
    this.code = code;
    if (this.groupEnded) return this.ended();
    if (this.first === null || this.ending) return this.end();
    this.ending = true;
    // The kernel kills it with bubblewrap, and all others with it.
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

  /** A program that no sweep could find again does not go on: where the record cannot be written (a full disk), it is ended. */
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

  /** Null where it is refused before a process is made: a zero byte in an argument, or there is nowhere to write to. */
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

/** In a session of its own. Our writing ends of its output are closed at once: they would keep it open. */
function spawned(spec: Spec): { readonly child: ChildProcess; readonly output: number[] } {
  const [output, ends]: [number[], number[]] = [[], []];
  try {
    for (const path of [spec.stdout, spec.stderr]) {
      // To open a pipe for writing that nobody reads any more would wait for ever, so the reading end comes first.
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

/** bubblewrap's own words: `{ "child-pid": 4711, … }`. */
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

/** A program may have sent its own output elsewhere by now: to a file that others write to, too. */
const isOurs = (name: string, { stdout, stderr }: Spec): boolean =>
  [stdout, stderr].some((path) => name.startsWith(path));

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
