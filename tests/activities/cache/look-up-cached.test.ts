/** @slow */
import { MockActivityEnvironment } from '@temporalio/testing';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookUpCached } from '../../../src/activities/cache/look-up-cached.js';
import { createPerform } from '../../../src/activities/step/perform.js';
import type { Body } from '../../../src/activities/work.js';
import { fail } from '../../../src/model/failure.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { StepEnding, StepInput } from '../../../src/model/messages.js';
import type { Step } from '../../../src/model/plan.js';
import type { ReuseInput } from '../../../src/model/reuse.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { aPlan, aStep, newHome, realSurroundings } from '../../support/run-body.js';

/** Each uses what the one before it made; `asks` asks the world and is never known. */
const a = aStep('takeSdist', { project: 'a' }, { id: 'a' });
const b = aStep('takeSdist', { project: 'b' }, { id: 'b', needs: ['a'] });
const c = aStep('takeSdist', { project: 'c' }, { id: 'c', needs: ['a', 'b'] });
const asks = aStep('proveTarget', { target: 'index', kind: 'python', url: 'x' } as never, { id: 'asks', needs: ['a'] });
const d = aStep('takeSdist', { project: 'd' }, { id: 'd', needs: ['c'], wants: ['asks'] });
const STEPS = [a, b, c, asks, d];
const [A, B, C] = [0, 1, 2];

async function world() {
  const home = await newHome();
  const around = realSurroundings(home, { now: () => 1_800_000_000_000, ticks: () => 0 } as never);
  const plan = aPlan({ steps: STEPS as unknown as readonly Step[] });
  const { digest } = await around.store.put(asBytes(canonical(plan)));
  const made: string[] = [];
  const doors = { enter: async (): Promise<void> => undefined };
  const body: Body<KindName> = async (work) => {
    made.push(`${work.run} ${work.step.id}`);
    await doors.enter();
    const path = join(work.folder, 'out');
    writeFileSync(path, work.inputs.map(({ artifacts }) => artifacts[0]!.digest).join() + work.step.id);
    return { artifacts: [await work.keep(path, 'file')], facts: {}, note: `made ${work.step.id}` };
  };
  const make = async (run: string, id: string, more: Partial<StepInput> = {}): Promise<StepEnding> => {
    const input = { plan: digest, step: id, run, attempt: 1, ...more };
    return (await new MockActivityEnvironment().run(createPerform(around)(body), input)) as StepEnding;
  };
  const result = (run: string, id: string) => around.store.read<Result>(records.result(run, id));
  const object = async (id: string): Promise<string> => {
    const hex = (await result('first', id))!.artifacts[0]!.digest.slice(7);
    return join(home, 'store', 'cas', 'sha256', hex.slice(0, 2), hex);
  };
  const input = (run: string, more: Partial<ReuseInput> = {}): ReuseInput => ({
    ...{ plan: digest, run, workflowId: 'w', from: [A], ended: [], ...more },
  });
  const go = (run: string, more: Partial<ReuseInput> = {}, signal = new AbortController().signal) =>
    lookUpCached(plan, input(run, more), around, signal);
  for (const { id } of STEPS) await make('first', id);
  made.length = 0;
  return { ...{ around, home, plan, input, made, make, result, object, go, doors } };
}

/** Returns a door that opens when `count` callers are there. */
function together(count: number): () => Promise<void> {
  let open!: () => void;
  const all = new Promise<void>((resolve) => (open = resolve));
  let here = 0;
  return () => {
    here += 1;
    if (here === count) open();
    return all;
  };
}

async function* asBytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

function flip(path: string): void {
  chmodSync(path, 0o644);
  const bytes = readFileSync(path);
  bytes[0]! ^= 1;
  writeFileSync(path, bytes);
}

test('given known steps, then the lookup records their results in order, and stops before steps that publish', async () => {
  const { go, make, result, made } = await world();
  const { found, unknown } = await go('walked');
  expect(found.map(([step, , note]) => [step, note])).toEqual([
    [A, 'made a'],
    [B, 'made b'],
    [C, 'made c'],
  ]);
  expect(unknown).toEqual([]);
  for (const id of ['a', 'b', 'c']) {
    expect((await make('by-hand', id)).outcome).toBe('cached');
    expect(await result('walked', id)).toMatchObject((await result('by-hand', id))!);
  }
  expect(await result('walked', 'd')).toBeNull();
  expect(made).toEqual([]);
});

test("given a known record, then the run's record is a hard link to it, or a copy if the store cannot link", async () => {
  const { go, result, around, home } = await world();
  const file = (name: string) => statSync(join(home, 'store', 'records', `${name}.json`));
  await go('linked');
  const known = records.known((await result('first', 'a'))!.key);
  expect(file(records.result('linked', 'a')).ino).toBe(file(known).ino);
  delete (around.store as { again?: unknown }).again;
  await go('written');
  expect(file(records.result('written', 'a')).ino).not.toBe(file(known).ino);
  expect(await result('linked', 'c')).toMatchObject((await result('written', 'c'))!);
});

test('given another result for a step in the run, then the lookup fails', async () => {
  const { go, around, result } = await world();
  const { again } = around.store;
  around.store.again = async (names) => {
    await around.store.create(records.result('second', 'b'), { ...(await result('first', 'b'))!, facts: { other: 1 } });
    return again!(names);
  };
  await expect(go('second')).rejects.toMatchObject({ first: { code: 'OTHER_RESULT_STANDS' } });
});

test('given altered bytes, then the step is no cache hit, and runs itself', async () => {
  const { go, make, result, object, home } = await world();
  const path = await object('b');
  flip(path);
  const { found, unknown } = await go('second');
  expect([found.map(([step]) => step), unknown]).toEqual([[A], [B]]);
  expect(await result('second', 'b')).toBeNull();
  expect((await make('second', 'b')).outcome).toBe('done');
  expect((await result('second', 'b'))!.findings).toMatchObject([{ code: 'STORE_REBUILT' }]);
  expect(existsSync(join(home, 'store', 'quarantine'))).toBe(true);
});

test.each([
  ['an altered record', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('made b', 'MADE B'))],
  ['a corrupt record', (path: string) => writeFileSync(path, '{')],
])('given %s, then the step is no cache hit, and its own run reports it', async (_, harm) => {
  const { go, make, result, home } = await world();
  const path = join(home, 'store', 'records', `${records.known((await result('first', 'b'))!.key)}.json`);
  chmodSync(path, 0o644);
  harm(path);
  expect((await go('second')).unknown).toEqual([B]);
  expect(existsSync(path)).toBe(true);
  await make('second', 'b');
  expect((await result('second', 'b'))!.findings).toMatchObject([{ code: 'STORE_REBUILT' }]);
});

test('given steps excluded by --no-cache or by a rerun, then they are not looked up', async () => {
  const { go, around } = await world();
  expect(await go('second', { except: [B] })).toMatchObject({ unknown: [B] });
  await around.store.create(records.rounds('third', 2), { round: 2, from: 'b', steps: ['b', 'c', 'd'] });
  const { found, unknown } = await go('third', { round: 2 });
  expect([found.map(([step]) => step), unknown]).toEqual([[A], [B]]);
});

test('given a skipped step, then it gets no result, though its inputs are known', async () => {
  const { go, result } = await world();
  const { found } = await go('second', { ended: [B] });
  expect(found.map(([step]) => step)).toEqual([A]);
  expect(await result('second', 'b')).toBeNull();
});

test('given a store that is down, then the lookup fails, without an unhandled rejection that would end the worker', async () => {
  const { around, plan, input } = await world();
  const away = fail({ code: 'STORE_AWAY', class: 'infra', message: 'the store is away', next: 'Wait.' });
  const later = async () => (await new Promise((go) => setTimeout(go, 5)), Promise.reject(away));
  // What a step itself left is asked for first, and answered last.
  const read = (name: string) => (name === records.result('second', 'b') ? later() : Promise.reject(away));
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('unhandledRejection', hear);
  const store = { ...around.store, read } as typeof around.store;
  const from = [B];
  const walking = lookUpCached(
    plan,
    input('second', { from, ended: [A] }),
    { ...around, store },
    new AbortController().signal,
  );
  await expect(walking).rejects.toMatchObject({ first: { code: 'STORE_AWAY' } });
  await new Promise((go) => setTimeout(go, 50));
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

test('when the clock is set back, then lookups have no wrong durations', async () => {
  const { around, plan, input } = await world();
  const [clock, ticks] = [{ ms: 1e12 }, { ms: 0 }];
  const back = { ...around, now: () => (clock.ms -= 60_000), ticks: () => (ticks.ms += 1000) };
  const { found } = await lookUpCached(plan, input('second'), back, new AbortController().signal);
  expect(found.map(([step]) => step)).toEqual([A]); // two looks at the clock for each
  expect(found.every(([, ms]) => ms >= 0)).toBe(true);
});

test('given a second delivery, then it finds the same steps; an aborted lookup records nothing more', async () => {
  const { go, result } = await world();
  const first = await go('second');
  expect((await go('second')).found.map(([step]) => step)).toEqual(first.found.map(([step]) => step));
  const gone = new AbortController();
  gone.abort();
  expect(await go('third', {}, gone.signal)).toEqual({ found: [], unknown: [] });
  expect(await result('third', 'a')).toBeNull();
});

test('given --no-cache, then the step is made, recorded in the run, and known from then on', async () => {
  const { make, result, made } = await world();
  expect((await make('second', 'a', { noCache: true })).outcome).toBe('done');
  expect(made).toEqual(['second a']);
  expect((await result('second', 'a'))!.made.run).toBe('second');
  expect((await make('third', 'a')).outcome).toBe('cached');
});

test('given two releases with one step key, then both make the step, and both continue with one record', async () => {
  const { make, result, around, go, doors } = await world();
  doors.enter = together(2);
  await around.store.setAside(
    records.known((await result('first', 'a'))!.key),
    (await around.store.read(records.known((await result('first', 'a'))!.key)))!,
  );
  const endings = await Promise.all([make('left', 'a'), make('right', 'a'), go('walks')]);
  expect(endings.slice(0, 2)).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  const [left, right] = [await result('left', 'a'), await result('right', 'a')];
  expect(left!.artifacts).toEqual(right!.artifacts);
  expect(left!.made).toEqual(right!.made);
});
