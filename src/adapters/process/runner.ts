import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fail } from '../../model/failure.js';
import { runnerLost } from './errors.js';
import { signalGroup } from './identity.js';
import { type Pipe, Pipes } from './pipes.js';
import type { Order, RunnerReport, Spec, ProgramEvent } from './protocol.js';

export type LastEvent = Exclude<ProgramEvent, { say: 'started' }>;

export interface Underway {
  readonly stdout: Promise<Socket>;
  readonly stderr: Promise<Socket>;
  /** Rejects with RUNNER_LOST if the runner died; the program is killed then. */
  readonly last: Promise<LastEvent>;
  stop(): void;
}

interface Entry {
  readonly program: string;
  pgid: number | null;
  /** The program has opened its pipes. */
  started(): void;
  told(last: LastEvent): void;
  lost(error: Error): void;
}

/** Starts programs through a separate process that ends them when the worker dies. That process starts with the
 * first program, and again after it was killed. */
export class Runner {
  private readonly entries = new Map<string, Entry>();
  private child: ChildProcess | null = null;
  private readonly pipes = new Pipes();

  /** @param main path of the compiled runner, which plain Node runs */
  constructor(private readonly main: string) {}

  async run(id: string, spec: Omit<Spec, 'stdout' | 'stderr'>): Promise<Underway> {
    const out = await this.pipes.take();
    const err = await this.pipes.take().catch((error: unknown) => {
      out.close();
      throw error;
    });
    const child = (this.child ??= this.begin());
    const underway = this.enter(id, spec.program, child, [out, err]);
    order(child, { do: 'run', id, spec: { ...spec, stdout: out.path, stderr: err.path } });
    return underway;
  }

  private enter(id: string, program: string, child: ChildProcess, [out, err]: readonly [Pipe, Pipe]): Underway {
    const [stdout, stderr, last] = [deferred<Socket>(), deferred<Socket>(), deferred<LastEvent>()];
    const all = [stdout, stderr, last];
    let started = false;
    this.entries.set(id, {
      program,
      pgid: null,
      started: () => {
        started = true;
        stdout.resolve(out.stream());
        stderr.resolve(err.stream());
      },
      told: last.resolve,
      lost: (error) => all.forEach(({ reject }) => reject(error)),
    });
    keep(child, true);
    const done = (): void => {
      this.entries.delete(id);
      if (!started) for (const pipe of [out, err]) pipe.close();
      if (this.entries.size === 0) keep(child, false);
    };
    // The end of a short program may arrive before its output, which uses other pipes.
    const both = Promise.allSettled([stdout.promise, stderr.promise]);
    void last.promise.then(({ say }) => (say === 'failed' ? null : both)).then(done, done);
    return {
      ...{ stdout: stdout.promise, stderr: stderr.promise, last: last.promise },
      stop: () => order(child, { do: 'stop', id }),
    };
  }

  private begin(): ChildProcess {
    const child = spawn(process.execPath, ['--max-semi-space-size=1', this.main], {
      detached: true,
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin!.on('error', () => undefined);
    createInterface({ input: child.stdout! }).on('line', (line) => this.hear(JSON.parse(line) as RunnerReport));
    // Its last reports are read before it counts as gone.
    child.once('close', () => this.gone(child)).once('error', () => this.gone(child));
    return child;
  }

  private hear({ id, ...told }: RunnerReport): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    if (told.say !== 'started') return entry.told(told);
    entry.pgid = told.pgid;
    entry.started();
  }

  private gone(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    for (const { pgid, program, lost } of this.entries.values()) {
      if (pgid !== null) signalGroup(pgid, 'SIGKILL');
      lost(fail(runnerLost(program)));
    }
  }
}

const order = (child: ChildProcess, what: Order): void => void child.stdin!.write(`${JSON.stringify(what)}\n`);

/** The runner keeps this process alive only while a program runs. */
function keep(child: ChildProcess, held: boolean): void {
  const all = [child, child.stdin, child.stdout] as unknown as (NodeJS.RefCounted | null)[];
  for (const one of all)
    if (held) one?.ref();
    else one?.unref();
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

/** Makes a promise whose rejection needs no handler. */
function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((done, failed) => ([resolve, reject] = [done, failed]));
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
