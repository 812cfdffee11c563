import { rmSync } from 'node:fs';
import { lives } from '../adapters/process/identity.js';
import { servicesFile, statusFile } from './folders.js';
import { leave, supervisor } from './lock.js';
import { unmountEngine } from './mounts.js';
import { until } from './poll.js';
import { ProcessRecord } from './process-record.js';

/** Ends the supervisor and all recorded processes, but nothing else. */
export async function down(home: string, onLine: (line: string) => void): Promise<void> {
  const record = new ProcessRecord(home);
  const before = record.list().map((one) => one.name);
  const holder = supervisor(home);
  if (holder === null && before.length === 0) onLine('nothing is up');
  if (holder !== null) {
    process.kill(holder.pid, 'SIGTERM');
    await until(() => !lives(holder), 90_000);
    if (lives(holder)) process.kill(holder.pid, 'SIGKILL');
  }
  await record.endAll(() => undefined);
  await unmountEngine(home);
  rmSync(servicesFile(home), { force: true });
  rmSync(statusFile(home), { force: true });
  leave(home);
  for (const name of before.toReversed()) onLine(`ended ${name}`);
}
