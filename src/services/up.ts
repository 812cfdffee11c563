import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keysFolder } from '../adapters/home-keys/open.js';
import { makeHomeKeys } from '../adapters/home-keys/make.js';
import { makeServiceSecrets } from '../adapters/home-keys/service-secrets.js';
import { certificateFault } from '../adapters/temporal/certificates.js';
import { metricsSetting } from '../adapters/temporal/metrics-address.js';
import { makePrivate } from '../adapters/private-home.js';
import { fail, type SlipwayFailure } from '../model/failure.js';
import { buildDigest, supervisorDigest } from './build-digest.js';
import { NAMES } from './catalog/index.js';
import { queuesHere, workerName } from './catalog/worker.js';
import { down } from './down.js';
import { homeUnfit, otherServicesUp, serviceNotReady, servicesUnknown, supervisorDied } from './errors.js';
import { readJson, tail } from './files.js';
import { logFile, servicesFile, statusFile } from './folders.js';
import { supervisor } from './lock.js';
import { assertOpenRunsReplay } from './open-runs.js';
import { until } from './poll.js';
import type { ServicesState } from './state.js';
import { allReady, type ServiceStatus, type Status } from './status.js';

export interface Where {
  readonly home: string;
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly only?: readonly string[];
}
type OnLine = (line: string) => void;
/** A first start creates a database and compiles Python; repeated failures end the wait sooner. */
const LIMIT_MS = 15 * 60_000;
/** Failures before a service counts as broken. */
const PATIENCE = 3;

/** Throws SERVICES_UNKNOWN, METRICS_ADDRESS_INVALID, HOME_UNFIT or OTHER_SERVICES_UP. Changes nothing. */
export function assertFits({ home, env, only }: Where): void {
  assertKnown(only);
  metricsSetting(env, queuesHere().length); // the last port: that of workflows is the first
  if (/[$"\\\p{Cc}]/u.test(home)) throw fail(homeUnfit(home));
  const there = current(home);
  if (there !== null) assertSame(only, there.only);
}

/** Services that ask their clients for the secrets of the home. */
const GUARDED = ['web', 'devpi'];

/** Starts all services and returns once they answer. Takes 0.1 s if all are up. Throws as `assertFits` does, and
 * SERVICE_NOT_READY, SUPERVISOR_DIED or a service's own problem. */
export async function up(where: Where, onLine: OnLine): Promise<void> {
  assertFits(where);
  for (const { path, mode } of makePrivate(where.home))
    onLine(`narrowed ${path}: its mode was ${mode.toString(8)}, and other users could reach it`);
  const keys = keysFolder(where.env, where.home);
  makeHomeKeys(keys);
  // A home without these services uses those of another home: a secret made here would be a wrong password there.
  if (where.only === undefined || GUARDED.some((name) => where.only?.includes(name))) makeServiceSecrets(keys);
  await endOutdatedSupervisor(where, onLine);
  const before = current(where.home);
  const look: Look = { build: buildDigest(where.packageRoot), before, shown: new Set(), onLine };
  if (before !== null && before.build === look.build && allReady(before)) return;
  const started = supervisor(where.home) === null ? startSupervisor(where) : null;
  if (started === null && before !== null) {
    await refuseDiverging(where, before, look);
    nudge(before, look);
  }
  const decided = (): boolean => started === null || started.gaveWay || supervisor(where.home)?.pid === started.pid;
  const ready = await until(() => started?.died === true || (decided() && settled(where, look)), LIMIT_MS);
  if (!ready || started?.died === true) throw stillNotReady(where);
}

/** Throws SERVICES_UNKNOWN. */
function assertKnown(only: Where['only']): void {
  const strange = only?.filter((name) => !(NAMES as readonly string[]).includes(name)) ?? [];
  if (strange.length > 0 || only?.length === 0) throw fail(servicesUnknown(strange, NAMES));
}

/** Throws OTHER_SERVICES_UP: a supervisor keeps the services that it began with. */
function assertSame(asked: Where['only'], there: Where['only']): void {
  const [now, before] = [asked, there].map((names) => (names ? names.toSorted().join(', ') : 'all services'));
  if (now !== before) throw fail(otherServicesUp(now!, before!));
}

/** Checks while workers of the older build still run, so that a refusal leaves them running. */
async function refuseDiverging({ home, packageRoot }: Where, status: Status, { build }: Look): Promise<void> {
  const [temporal, workers] = ['temporal', workerName('workflows')].map((name) => status.services[name]);
  if (status.build === build || temporal?.state !== 'ready' || workers === undefined) return;
  await assertOpenRunsReplay({ home, packageRoot });
}

/** A supervisor of an older build would use its old code, and a running door its old certificates. */
async function endOutdatedSupervisor(where: Where, onLine: OnLine): Promise<void> {
  const status = current(where.home);
  if (status === null) return;
  const folder = readJson<ServicesState>(servicesFile(where.home))?.services['temporal']?.certificates;
  const fault = folder === undefined ? null : certificateFault(folder, 'client', Date.now());
  if (status.code === supervisorDigest(where.packageRoot) && fault === null) return;
  onLine(`${fault ?? 'the supervisor was built anew'}: starting again`);
  await down(where.home, () => undefined);
}

/** Makes the supervisor retry failed services and restart workers of an older build. */
function nudge(status: Status, { build, onLine }: Look): void {
  if (status.build !== build) onLine('built anew: starting the workers again');
  process.kill(status.supervisor.pid, 'SIGHUP');
}

export function current(home: string): Status | null {
  const status = readJson<Status>(statusFile(home));
  return status !== null && supervisor(home)?.pid === status.supervisor.pid ? status : null;
}

/** A starting supervisor that may still give way to another one. Until it holds the lock, `down` cannot end it. */
interface Starting {
  readonly pid: number | undefined;
  gaveWay: boolean;
  died: boolean;
}

function startSupervisor({ home, packageRoot, env, only }: Where): Starting {
  const path = logFile(home, 'supervisor');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const log = openSync(path, 'a', 0o600);
  const main = join(packageRoot, 'dist', 'services', 'supervisor-main.js');
  const child = spawn(process.execPath, [main, ...(only ? [only.join(',')] : [])], {
    cwd: home,
    env: { ...env, SLIPWAY_HOME: home },
    stdio: ['ignore', log, log],
    detached: true,
  });
  const starting: Starting = { pid: child.pid, gaveWay: false, died: false };
  child.once('exit', (code) => (starting[code === 0 ? 'gaveWay' : 'died'] = true));
  child.unref();
  closeSync(log);
  return starting;
}

interface Look {
  /** Digest that the workers should run; a build may change it meanwhile. */
  build: string;
  /** Status at the beginning: earlier failures do not count. */
  readonly before: Status | null;
  readonly shown: Set<string>;
  readonly onLine: OnLine;
}

/** Prints newly ready services. Returns whether all are ready. Throws if one cannot become ready. */
function settled({ home, packageRoot }: Where, look: Look): boolean {
  const { before, shown, onLine } = look;
  const status = current(home);
  if (status === null || isRenewing(status, packageRoot, look)) return false;
  for (const note of status.notes) once(shown, note, () => onLine(`note: ${note}`));
  for (const [name, service] of Object.entries(status.services)) {
    if (service.state === 'ready') once(shown, name, () => onLine(readyLine(name, service)));
    const failures = service.failedTimes - (before?.services[name]?.failedTimes ?? 0);
    if (service.state !== 'failing' || failures === 0) continue;
    if (service.mend !== undefined) throw fail(service.mend);
    if (failures >= PATIENCE) throw notReady(name, service);
  }
  return allReady(status);
}

function isRenewing(status: Status, packageRoot: string, look: Look): boolean {
  if (status.build === look.build) return false;
  const build = buildDigest(packageRoot);
  if (build !== look.build) nudge(status, Object.assign(look, { build }));
  return status.build !== build;
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
