/** Runs between a worker and its programs, in a session of its own. If the worker dies, stdin closes, and each
 * program's process group gets SIGTERM, then SIGKILL. All programs of a worker share one runner, because starting
 * Node costs more than most commands. It imports only node: modules and stays small, because each start of a program
 * copies the process. */
import { closeSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Order, RunnerReport, Spec } from './protocol.js';
import { Supervised } from './supervised.js';

const REPORT_FD = 1;

function report(line: RunnerReport): void {
  try {
    writeSync(REPORT_FD, `${JSON.stringify(line)}\n`);
  } catch {
    // The worker no longer reads. The process groups end all the same.
  }
}

const runs = new Map<string, Supervised>();
let stopped = false;
/** Folder of the worker's pipes. Only the runner can remove it after its worker was killed. */
let pipes: string | null = null;

function endWhenIdle(): void {
  if (!stopped || runs.size > 0) return;
  if (pipes !== null) rmSync(pipes, { recursive: true, force: true });
  process.exit(0);
}

function stopAll(): void {
  stopped = true;
  for (const run of runs.values()) run.end();
  endWhenIdle();
}

function workerGone(): void {
  stopAll();
  for (const run of runs.values()) run.drain();
}

function begin(id: string, spec: Spec): void {
  pipes = dirname(spec.stdout);
  const run = new Supervised(spec, (told) => {
    report({ id, ...told });
    if (told.say === 'started') return;
    runs.delete(id);
    endWhenIdle();
  });
  runs.set(id, run);
  if (stopped) run.end();
  run.launch();
}

function obey(line: string): void {
  const order = JSON.parse(line) as Order;
  if (order.do === 'run') begin(order.id, order.spec);
  else runs.get(order.id)?.end();
}

/** Closes descriptors that a shell or a service manager left open: Node passes on those behind a gap in the numbers.
 * Node closes its own at the start of a program. */
function closeInherited(): void {
  const O_CLOEXEC = 0o2000000;
  for (const fd of readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((one) => one > 2)) {
    try {
      const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
      if (flags !== undefined && (parseInt(flags, 8) & O_CLOEXEC) === 0) closeSync(fd);
    } catch {
      // It was the descriptor of the list itself.
    }
  }
}

if (process.platform === 'linux') closeInherited();
createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', obey).on('close', workerGone);
process.stdin.on('error', workerGone);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopAll);
