import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lives } from '../adapters/process/identity.js';
import { fail, type SlipwayFailure } from '../model/failure.js';
import { buildDigest, supervisorDigest } from './build-digest.js';
import { down } from './down.js';
import { serviceNotReady, supervisorDied } from './errors.js';
import { readJson, tail } from './files.js';
import { logFile, statusFile } from './folders.js';
import { supervisor } from './lock.js';
import { until } from './poll.js';
import { allReady, type ServiceStatus, type Status } from './status.js';

export interface Where {
  readonly home: string;
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
  /** Only these services, for tests. */
  readonly only?: readonly string[];
}
type OnLine = (line: string) => void;
/** A cold first start has a database to make and Python to compile; repeated failures end the wait sooner. */
const LIMIT_MS = 180_000;
/** One that ended so often does not come up by itself. */
const PATIENCE = 3;

/** Starts what is not up, and returns once everything answers. Nothing to do takes a tenth of a second. */
export async function up(where: Where, onLine: OnLine): Promise<void> {
  await endOutdatedSupervisor(where, onLine);
  const build = buildDigest(where.packageRoot);
  const before = current(where.home);
  if (supervisor(where.home) === null) startSupervisor(where);
  else if (before !== null) nudge(before, build, onLine);
  const look = { build, before, shown: new Set<string>(), onLine };
  const ready = await until(() => settled(where, look), LIMIT_MS);
  if (!ready) throw stillNotReady(where);
}

/** A supervisor of an older build would keep running old rules. */
async function endOutdatedSupervisor(where: Where, onLine: OnLine): Promise<void> {
  const status = current(where.home);
  if (status === null || status.code === supervisorDigest(where.packageRoot)) return;
  onLine('the supervisor was built anew: starting again');
  await down(where.home, () => undefined);
}

/** A ready supervisor of this very build is left in peace. */
function nudge(status: Status, build: string, onLine: OnLine): void {
  if (status.build === build && allReady(status)) return;
  if (status.build !== build) onLine('built anew: starting the workers again');
  process.kill(status.supervisor.pid, 'SIGHUP');
}

/** The status of a living supervisor. */
export function current(home: string): Status | null {
  const status = readJson<Status>(statusFile(home));
  return status !== null && lives(status.supervisor) ? status : null;
}

function startSupervisor({ home, packageRoot, env, only }: Where): void {
  const path = logFile(home, 'supervisor');
  mkdirSync(dirname(path), { recursive: true });
  const log = openSync(path, 'a');
  const main = join(packageRoot, 'dist', 'services', 'supervisor-main.js');
  const child = spawn(process.execPath, [main, ...(only ? [only.join(',')] : [])], {
    cwd: home,
    env: { ...env, SLIPWAY_HOME: home },
    stdio: ['ignore', log, log],
    detached: true,
  });
  child.unref();
  closeSync(log);
}

interface Look {
  readonly build: string;
  /** Failures from before we were asked do not count. */
  readonly before: Status | null;
  readonly shown: Set<string>;
  readonly onLine: OnLine;
}

/** One look: shows what became ready since the last, fails on what cannot. */
function settled({ home }: Where, { build, before, shown, onLine }: Look): boolean {
  const status = current(home);
  if (status === null || (before !== null && status.build !== build)) return false;
  for (const note of status.notes) once(shown, note, () => onLine(`note: ${note}`));
  for (const [name, service] of Object.entries(status.services)) {
    if (service.state === 'ready') once(shown, name, () => onLine(readyLine(name, service)));
    const failures = service.failedTimes - (before?.services[name]?.failedTimes ?? 0);
    if (service.state === 'failing' && failures >= PATIENCE) throw notReady(name, service);
  }
  return status.build === build && allReady(status);
}

function once(shown: Set<string>, key: string, act: () => void): void {
  if (shown.has(key)) return;
  shown.add(key);
  act();
}

const readyLine = (name: string, { tookMs, address }: ServiceStatus): string =>
  `${name.padEnd(20)} ${((tookMs ?? 0) / 1000).toFixed(1).padStart(5)} s  ${address ?? ''}`.trimEnd();

const notReady = (name: string, { problem, log }: ServiceStatus): SlipwayFailure =>
  fail(serviceNotReady(name, problem ?? 'no answer yet', log, tail(log)));

function stillNotReady({ home }: Where): SlipwayFailure {
  const log = logFile(home, 'supervisor');
  const status = current(home);
  const late = Object.entries(status?.services ?? {}).find(([, service]) => service.state !== 'ready');
  return late === undefined ? fail(supervisorDied(log, tail(log))) : notReady(...late);
}
