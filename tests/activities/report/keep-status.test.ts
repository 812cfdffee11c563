import { createKeepStatus } from '../../../src/activities/report/keep-status.js';
import type { StepContext } from '../../../src/activities/step/ports.js';
import { layoutFolder } from '../../../src/model/layout.js';
import type { RunStatus, VerdictName } from '../../../src/model/messages.js';
import type { Plan } from '../../../src/model/plan.js';
import { type GitSource, records } from '../../../src/model/run-folder.js';
import { anArtifact, aPlan, newHome, realSurroundings, sha256 } from '../../support/run-body.js';

const commitOf = (name: string): string => name.repeat(40);

/** Runs that end, over one store. */
async function world() {
  const home = await newHome();
  const around = realSurroundings(home);
  const known = async (name: string, epoch: number, ancestors: readonly string[] = []): Promise<void> => {
    const source: GitSource = { digest: sha256(name), size: 0, epoch, ancestors: ancestors.map(commitOf) };
    await around.store.create(records.gitSource(commitOf(name)), source);
  };
  const ends = async (name: string, verdict: VerdictName, branch: string | null = 'main', made = true) => {
    const plan = aPlan({ source: { kind: 'git', commit: commitOf(name), branch } });
    const wheel = await anArtifact(home, 'a.whl', name);
    if (made) await around.layout('skiff').place(`${layoutFolder(plan)}/a.whl`, wheel.digest);
    await end(around, plan, `${name}-${verdict}`, verdict);
  };
  const latest = async (): Promise<string | null> =>
    (await around.layout('skiff').list('main/latest/'))[0]?.charAt('main/'.length) ?? null;
  return { around, known, ends, latest };
}

async function end(around: StepContext, plan: Plan, run: string, verdict: VerdictName): Promise<void> {
  const status = { run, plan: sha256(run), verdict: { verdict, reasons: [] } } as unknown as RunStatus;
  await createKeepStatus(around.store, around.layout, async () => plan)(status);
  expect(await around.store.read(records.status(run))).toEqual(status);
}

test("given successful runs, then the branch's latest follows the order of commits, not of runs", async () => {
  const { known, ends, latest } = await world();
  await known('1', 100);
  await known('2', 200);
  await known('3', 50, ['2']); // its author's clock goes wrong
  await ends('2', 'rehearsed');
  await ends('1', 'released');
  expect(await latest()).toBe('2');
  await ends('3', 'released');
  expect(await latest()).toBe('3');
  await ends('2', 'released');
  expect(await latest()).toBe('3');
});

test('given a forgotten commit, then it is compared by the time stored with the pointer', async () => {
  const { around, known, ends, latest } = await world();
  const at = new Date(150_000).toISOString();
  await around.layout('skiff').moveLatest('main', { commit: commitOf('9'), at, version: '1', run: 'r' }, () => true);
  await known('1', 100);
  await known('2', 200);
  await ends('1', 'released');
  expect(await latest()).toBeNull(); // commit 9 has no files
  await ends('2', 'released');
  expect(await latest()).toBe('2');
});

test.each([
  ['failed', 'failed', 'main', true],
  ['was cancelled', 'cancelled', 'main', true],
  ['is on no branch', 'released', null, true],
  ['made no named artifact', 'released', 'main', false],
] as const)('given a run that %s, then the pointer does not move', async (_what, verdict, branch, made) => {
  const { known, ends, latest } = await world();
  await known('1', 100);
  await ends('1', verdict, branch, made);
  expect(await latest()).toBeNull();
});
