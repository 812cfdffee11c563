import { home, packageRoot, toolsBin } from '../adapters/home.js';
import { keysFolder } from '../adapters/home-keys/open.js';
import { makePrivate } from '../adapters/private-home.js';
import { buildDigest, supervisorDigest } from './build-digest.js';
import { catalog } from './catalog/index.js';
import { choosePorts, lastPorts, movedPorts } from './free-ports.js';
import { becomeSupervisor, isStillSupervisor, leave } from './lock.js';
import { unmountEngine } from './mounts.js';
import { ProcessRecord } from './process-record.js';
import { Supervisor, type Builds } from './supervisor.js';

/** Interval at which a supervisor checks that its home still exists, and the size of its logs. */
const OWNER_CHECK_MS = 1_000;
let ending = false;
const builds = (): Builds => ({ build: buildDigest(packageRoot()), code: supervisorDigest(packageRoot()) });

/** `node supervisor-main.js [name,name]`: supervises until SIGTERM. SIGHUP restarts outdated workers. */
async function main(): Promise<void> {
  // Services write databases, logs and sockets: no other user of this machine may read them.
  process.umask(0o077);
  const where = home();
  makePrivate(where);
  if (!becomeSupervisor(where)) return;
  const record = new ProcessRecord(where);
  // A killed supervisor left these processes.
  await record.endAll((name) => console.log(`ended ${name}, left by a supervisor that was killed`));
  const last = lastPorts(where);
  const ports = await choosePorts(where);
  const context = {
    ...{ home: where, keys: keysFolder(process.env, where) },
    ports,
    toolsBin: toolsBin(),
    packageRoot: packageRoot(),
    env: process.env,
    isRoot: process.getuid?.() === 0,
  };
  const only = process.argv[2]?.split(',');
  const made = await catalog(context, only);
  const all = { ...made, notes: [...movedPorts(last, ports), ...made.notes] };
  const supervisor = new Supervisor(context, all, record, builds());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end(supervisor, where));
  process.on('SIGHUP', () => void supervisor.renew(builds()));
  setInterval(() => {
    if (ending) return;
    if (isStillSupervisor(where)) return supervisor.boundLogs();
    ending = true;
    void abandon(supervisor, where);
  }, OWNER_CHECK_MS);
  supervisor.start();
}

async function abandon(supervisor: Supervisor, where: string): Promise<void> {
  await supervisor.abandon();
  await unmountEngine(where);
  process.exit(0);
}

async function end(supervisor: Supervisor, where: string): Promise<void> {
  ending = true;
  await supervisor.end();
  leave(where);
  process.exit(0);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  leave(home());
  process.exit(1);
});
