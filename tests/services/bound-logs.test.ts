import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { boundLogs } from '../../src/services/bound-logs.js';
import { accessLogFile, logFile } from '../../src/services/folders.js';
import { ProcessRecord } from '../../src/services/process-record.js';
import { plain } from '../../src/services/service.js';
import { Supervisor } from '../../src/services/supervisor.js';
import { newHome } from '../support/run-body.js';

const NOW_MS = Date.parse('2026-11-23T02:40:00Z');
const HUGE = 65 << 20;

async function aLog(name: string): Promise<{ home: string; folder: string }> {
  const home = await newHome();
  const folder = dirname(logFile(home, name));
  mkdirSync(folder, { recursive: true });
  return { home, folder };
}

test('given a large log of a service, then a copy is kept beside it, and the service writes on in the same file', async () => {
  const { home, folder } = await aLog('devpi');
  const log = logFile(home, 'devpi');
  writeFileSync(log, 'first\n');
  truncateSync(log, HUGE);
  expect(boundLogs(home, NOW_MS)).toBe(false);
  writeFileSync(log, 'next\n', { flag: 'a' });
  expect(readFileSync(log, 'utf8')).toBe('next\n');
  expect(statSync(`${log}.1`).size).toBe(HUGE);
  boundLogs(home, NOW_MS);
  expect(readdirSync(folder).sort()).toEqual(['devpi.log', 'devpi.log.1']);
});

test('given a log that cannot be copied, as on a full disk, then it is truncated all the same', async () => {
  const { home } = await aLog('devpi');
  const log = logFile(home, 'devpi');
  writeFileSync(log, '');
  truncateSync(log, HUGE);
  mkdirSync(`${log}.1`);
  expect(() => boundLogs(home, NOW_MS)).not.toThrow();
  expect(statSync(log).size).toBe(0);
});

test('given many parts of the access log of wheels, then the newest 32 stay', async () => {
  const { home, folder } = await aLog('wheels');
  const log = accessLogFile(home, 'wheels');
  for (let no = 10; no < 50; no += 1) writeFileSync(`${log}-202611010000${no}`, '');
  writeFileSync(log, '');
  truncateSync(log, HUGE);
  expect(boundLogs(home, NOW_MS)).toBe(true);
  const parts = readdirSync(folder).sort();
  expect([parts.length, parts[0], parts.at(-1)]).toEqual([
    32,
    'wheels-access.log-20261101000019',
    'wheels-access.log-20261123024000',
  ]);
});

test('given no logs yet, then nothing happens', async () => {
  expect(boundLogs(join(await newHome(), 'new'), NOW_MS)).toBe(false);
});

test('given that nginx has just ended, when the log of wheels is renamed, then the supervisor goes on', async () => {
  const { home } = await aLog('wheels');
  writeFileSync(accessLogFile(home, 'wheels'), '');
  truncateSync(accessLogFile(home, 'wheels'), HUGE);
  const service = { ...plain, name: 'web', state: (pid: number) => ({ pid, address: '', log: logFile(home, 'web') }) };
  const catalog = { services: [service], notes: [] } as never;
  const supervisor = new Supervisor({ home } as never, catalog, new ProcessRecord(home), { build: '', code: '' });
  supervisor['keepers'][0]!.pid = spawnSync('true').pid;
  expect(() => supervisor.boundLogs()).not.toThrow();
});
