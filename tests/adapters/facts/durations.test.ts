import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWriteReport } from '../../../src/activities/report/write-report.js';
import type { Work } from '../../../src/activities/work.js';
import { readDurations } from '../../../src/adapters/facts/durations.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { records } from '../../../src/model/run-folder.js';
import { HEAD, planOf } from '../../plan/a-plan.js';

const folder = mkdtemp(join(tmpdir(), 'slipway-durations-'));
afterAll(async () => rm(await folder, { recursive: true, force: true }));

const plan = planOf(`${HEAD}steps:\n  x: { run: 'true' }\n`);
const step = plan.steps.find(({ kind }) => kind === 'runCommand')!;
const report = plan.steps.find(({ kind }) => kind === 'writeReport')!;
const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;

/** A run that took `ms` for its one command, and its report. */
async function reported(run: string, day: number, ms: number): Promise<void> {
  const store = createDirectoryStore(await folder);
  await store.create(records.started(run), { run, workflowId: 'w', plan: null, at: at(day) });
  const made = { run, attempt: 1, at: at(day), ms, worker: 'w' };
  const result = { step: step.id, kind: step.kind, artifacts: [], facts: {}, findings: [], note: '', made };
  await store.create(records.result(run, step.id), result);
  const body = createWriteReport();
  const work = { plan, run, store, step: report } as unknown as Work<'writeReport'>;
  await body(work);
  await body(work); // its worker was lost
}

test("given reports, then a run's durations are stored once, and the last runs of all releases are read", async () => {
  const store = createDirectoryStore(await folder);
  expect(await readDurations(store, plan.release.name)).toEqual([]);
  for (let day = 1; day <= 10; day++) await reported(`r${day}`, day, day);
  const other = { release: 'other', run: 'o', at: at(3), classes: [], steps: {} };
  await store.create(records.durations('other', at(3), 'o'), other);
  const read = await readDurations(store, plan.release.name);
  expect(read.map(({ run }) => run)).toEqual(['o', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10']);
  expect(read.at(-1)).toMatchObject({ release: plan.release.name, at: at(10), steps: { [step.id]: [0, 10] } });
});

test('given a damaged record, then it is ignored and planning goes on', async () => {
  const store = createDirectoryStore(await folder);
  const name = plan.release.name;
  const place = join(await folder, 'records', 'durations', name);
  for (const file of (await readdir(place)).slice(-1)) await writeFile(join(place, file), '{"rel');
  expect((await readDurations(store, name)).map(({ run }) => run)).not.toContain('r10');
});
