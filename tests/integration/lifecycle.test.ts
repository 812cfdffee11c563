/** @long @needs temporal */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { makeBodies } from '../../src/activities/kind-bodies.js';
import { createPerform } from '../../src/activities/step/perform.js';
import type { Body } from '../../src/activities/work.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { once } from '../../src/adapters/facts/index.js';
import { createPrograms } from '../../src/adapters/process/programs.js';
import { waitsOf } from '../../src/engine/why/waits.js';
import { NEWEST_ENGINE } from '../../src/model/engines.js';
import { fail } from '../../src/model/failure.js';
import { canonical } from '../../src/model/json.js';
import type { KindName } from '../../src/model/kinds.js';
import { CANCEL_SIGNAL, type RunStatus } from '../../src/model/messages.js';
import type { Plan, Skeleton } from '../../src/model/plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { aProblem } from '../engine/a-skeleton.js';
import { planOf, someFacts } from '../plan/a-plan.js';
import { statusOf } from '../support/ask-run.js';
import { newHome, realSurroundings } from '../support/run-body.js';
import { until } from '../support/until.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { fakeActivities } from '../workflows/fake-activities.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

/** Each variant says that it began and waits for the file `go`. Then `a` fails. TERM lets a variant clean up. */
const LINE = `trap 'echo "$PART cleaned up" >> "$NOTES"; exit 143' TERM
echo "$PART began" >> "$NOTES"; until [ -e "$NOTES.go" ]; do sleep 0.05; done
if [ "$PART" = a ]; then exit 1; fi; while :; do sleep 0.05; done`;

const fileOf = (notes: string): string => `slipway: 1
pipeline: { name: night, label: n1 }
source: { sdist: skiff==1.0, sha256: ${'a'.repeat(64)} }
platforms: [linux-x86_64]
isolation: none
steps:
  load:
    run: ${JSON.stringify(LINE)}
    matrix: { part: [a, b, c, d] }
    env: { PART: '{part}', NOTES: ${notes} }
    parallel: 2
    onFailure: stop
    cache: false
  clean: { after: [steps/load], needs: [source], env: { NOTES: ${notes} }, run: 'cat NAME >> "$NOTES"' }
`;

/** A store with the plan, and a worker that carries its commands out. What the rest of a plan makes is faked. */
async function prepared(canFetch = true) {
  const home = await newHome();
  const notes = join(home, 'notes');
  writeFileSync(notes, '');
  const programs = createPrograms({ running: join(home, 'running'), graceMs: 5000, sandbox: 'this test needs none' });
  const around = realSurroundings(home, { programs });
  const plan = planOf(fileOf(notes));
  const { digest } = await around.store.put(once(canonical(plan)));
  const perform = createPerform(around);
  const { runCommand, tidyUp } = makeBodies(['runCommand', 'tidyUp'], {
    ...{ programs, archives: createArchives(), containers: null },
  });
  const nothing: Body<KindName> = async () => ({ artifacts: [], facts: { toolchain: 't', tools: {} }, note: 'faked' });
  const fetchSource: Body<KindName> = async (work) => {
    if (!canFetch) throw fail(aProblem({ code: 'NO_SUCH_SDIST', class: 'config' }));
    const tree = mkdtempSync(join(tmpdir(), 'slipway-tree-'));
    writeFileSync(join(tree, 'NAME'), 'clean-up in the tree\n');
    const path = join(work.folder, 'skiff.tar.gz');
    await createArchives().pack(tree, path, { epoch: 1_700_000_000, top: 'skiff' });
    return { artifacts: [await work.keep(path, 'source')], facts: { epoch: '1' }, note: 'packed' };
  };
  const own = { runCommand, tidyUp, fetchSource, proveQueue: nothing, writeReport: nothing };
  const skeleton = skeletonOf(plan, digest, someFacts().queues);
  const step = (): never => fail(aProblem()) as never;
  const bodies = Object.entries(own).map(([kind, body]) => [kind, perform(body as Body<KindName>)]);
  const activities = { ...fakeActivities(() => skeleton, step), ...Object.fromEntries(bodies) };
  return { notes, plan, skeleton: skeleton as Skeleton, activities };
}

interface Playing {
  readonly notes: string;
  readonly plan: Plan;
  readonly handle: WorkflowHandle;
  readonly noted: () => readonly string[];
}

let count = 0;
async function play(
  canFetch: boolean,
  meanwhile: (run: Playing) => Promise<void>,
): Promise<Playing & { status: RunStatus }> {
  const { notes, plan, activities } = await prepared(canFetch);
  const noted = (): readonly string[] => readFileSync(notes, 'utf8').trimEnd().split('\n').toSorted();
  const workers = await Promise.all([
    makeWorker(env, bundle, activities),
    makeWorker(env, bundle, activities, { taskQueue: 'linux-x86_64' }),
  ]);
  return workers[0]!.runUntil(() =>
    workers[1]!.runUntil(async () => {
      const handle = await env.client.workflow.start('pipeline', {
        ...{ workflowId: `pipeline/night/${++count}`, taskQueue: 'control' },
        args: [{ file: 'slipway.yaml', engine: NEWEST_ENGINE }],
      });
      const run = { notes, plan, handle, noted };
      await meanwhile(run);
      await handle.result().catch(() => undefined);
      return { ...run, status: await statusOf(handle) };
    }),
  );
}

const statesIn = ({ steps }: RunStatus): Readonly<Record<string, string>> =>
  Object.fromEntries(steps.map(({ id, state }) => [id, state]));
const bothBegan = async ({ noted }: Playing): Promise<void> => void (await until(() => noted().length === 2));
const LOAD = ['a', 'b', 'c', 'd'].map((part) => `steps/load/${part}`);

test('given four variants with `parallel: 2`, when one fails, then its sibling cleans up, and the clean-up runs', async () => {
  const { noted, status } = await play(true, async (run) => {
    await bothBegan(run);
    const now = await statusOf(run.handle);
    expect(LOAD.map((id) => statesIn(now)[id])).toEqual(['running', 'running', 'waiting', 'waiting']);
    expect(waitsOf('steps/load/c', run.plan, now, {})).toEqual([
      { for: 'place', because: 'every place of steps/load is taken, 2 of 2' },
    ]);
    appendFileSync(`${run.notes}.go`, '');
  });
  expect(noted()).toEqual(['a began', 'b began', 'b cleaned up', 'clean-up in the tree']);
  expect(LOAD.map((id) => statesIn(status)[id])).toEqual(['failed', 'cancelled', 'cancelled', 'cancelled']);
  expect(statesIn(status)['steps/clean']).toBe('done');
  expect(status.verdict?.verdict).toBe('failed');
});

test('given four variants with `parallel: 2`, when the run is cancelled, then both clean up, and the clean-up runs', async () => {
  const { noted, status, notes } = await play(true, async (run) => {
    await bothBegan(run);
    await run.handle.signal(CANCEL_SIGNAL, { reason: 'wrong cluster' });
  });
  expect(existsSync(`${notes}.go`)).toBe(false);
  expect(noted()).toEqual(['a began', 'a cleaned up', 'b began', 'b cleaned up', 'clean-up in the tree']);
  expect(LOAD.map((id) => statesIn(status)[id])).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
  expect(statesIn(status)['steps/clean']).toBe('done');
  expect(status.verdict?.verdict).toBe('cancelled');
});

test('given no source was fetched, then the clean-up fails with a code that names the source', async () => {
  const { noted, status } = await play(false, async () => undefined);
  expect(noted()).toEqual(['']);
  const clean = status.steps.find(({ id }) => id === 'steps/clean');
  expect(clean).toMatchObject({ state: 'failed', problems: [{ code: 'TREE_NOT_FETCHED' }] });
  expect(LOAD.map((id) => statesIn(status)[id])).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
});
