import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../src/services/catalog/context.js';
import { ProcessRecord } from '../../src/services/process-record.js';
import { plain, type Service } from '../../src/services/service.js';
import { Supervisor } from '../../src/services/supervisor.js';
import { until } from '../support/until.js';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'slipway-needs-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('given a worker that needs a service, then it begins once that answers, also if workers had to restart before', async () => {
  const begun: string[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const stranger = (name: string, more: Partial<Service>): Service => ({
    ...{ ...plain, name, managed: false, launch: () => ({ argv: ['true'] }) },
    ...{ answers: async () => true, state: (pid) => ({ pid, address: '', log: '' }) },
    ...more,
  });
  const services = [
    stranger('worker', { after: ['index'], runsOurCode: true, prepare: async () => void begun.push('worker') }),
    stranger('index', { prepare: () => (begun.push('index'), answered) }),
  ];
  const builds = { build: 'one', code: '' };
  const supervisor = new Supervisor({ home } as Context, { services, notes: [] }, new ProcessRecord(home), builds);
  supervisor.start();
  await supervisor.renew({ ...builds, build: 'two' });
  expect(begun).toEqual(['index']);
  answer();
  await until(() => begun.length > 1);
  expect(begun).toEqual(['index', 'worker']);
  await supervisor.end();
});
