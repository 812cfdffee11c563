import { join } from 'node:path';
import type { Store } from '../../../src/activities/ports.js';
import { makeHomeKeys } from '../../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../../src/adapters/home-keys/open.js';
import { provedStore } from '../../../src/adapters/home-keys/proved-store.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { Role } from '../../../src/model/proof.js';
import { records } from '../../../src/model/run-folder.js';
import { aResult, newHome } from '../../support/run-body.js';

interface World {
  /** As any program that reaches the folder sees it. */
  readonly bare: Store;
  /** As a worker of the home that signs for these roles sees it. */
  as(...roles: readonly Role[]): Store;
}
async function aWorld(): Promise<World> {
  const home = await newHome();
  const keys = join(home, 'keys');
  makeHomeKeys(keys);
  const bare = createDirectoryStore(join(home, 'store'));
  return { bare, as: (...roles) => provedStore(bare, openHomeKeys(keys, roles)) };
}
const control = ({ as }: World): Store => as('control', 'worker');
const builder = ({ as }: World): Store => as('worker');

const WHEEL = aResult({ id: 'wheels/skiff', kind: 'buildWheel' });
const GATE = aResult({ id: 'gates/ship', kind: 'passGate' });
const wheels = records.result('r1', 'wheels/skiff');
const gates = records.result('r1', 'gates/ship');
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error: { first: { code: string } }) => error.first.code,
  );

test('given a result written by a builder, when control reads it, then it is unchanged', async () => {
  const world = await aWorld();
  expect(await builder(world).create(wheels, WHEEL)).toEqual({ created: true, value: WHEEL });
  expect(await control(world).read(wheels)).toEqual(WHEEL);
});

test('given a result written by control, when a builder reads it, then its proof is valid', async () => {
  const world = await aWorld();
  await control(world).create(gates, GATE);
  expect(await builder(world).read(gates)).toEqual(GATE);
});

test.each<[what: string, write: (world: World) => Promise<unknown>, read: string, code: string]>([
  ['without a key', ({ bare }) => bare.create(wheels, WHEEL), wheels, 'RECORD_NOT_PROVED'],
  ['for a gate, by a builder', (world) => builder(world).create(gates, GATE), gates, 'RECORD_NOT_PROVED'],
  [
    'for a gate, from another run',
    async (world) => {
      await control(world).create(records.result('r0', 'gates/ship'), GATE);
      return world.bare.create(gates, (await world.bare.read<object>(records.result('r0', 'gates/ship')))!);
    },
    gates,
    'RECORD_NOT_PROVED',
  ],
  [
    'of another step',
    async (world) => {
      await builder(world).create(wheels, WHEEL);
      return world.bare.create(records.result('r1', 'wheels/b'), (await world.bare.read<object>(wheels))!);
    },
    records.result('r1', 'wheels/b'),
    'RESULT_MALFORMED',
  ],
  [
    'that was changed afterwards',
    async (world) => {
      await builder(world).create(wheels, WHEEL);
      const signed = (await world.bare.read<object>(wheels))!;
      await world.bare.setAside(wheels, signed);
      return world.bare.create(wheels, { ...signed, note: 'changed' });
    },
    wheels,
    'RECORD_NOT_PROVED',
  ],
  [
    'of the audit, by a builder',
    (world) => builder(world).create(records.audit('r1', 1), { no: 1 }),
    records.audit('r1', 1),
    'RECORD_NOT_PROVED',
  ],
])('given a record %s, then control refuses it', async (_, write, name, code) => {
  const world = await aWorld();
  await write(world);
  expect(await codeOf(control(world).read(name))).toBe(code);
});

test('given a forged record under our name, when ours is written, then ours counts and the other is quarantined', async () => {
  const world = await aWorld();
  await world.bare.create(gates, { ...GATE, note: 'forged' });
  expect(await control(world).create(gates, GATE)).toEqual({ created: true, value: GATE });
  expect(await control(world).read(gates)).toEqual(GATE);
});

test('given a refused record, when its reader quarantines it, then the name is free', async () => {
  const world = await aWorld();
  const store = control(world);
  await world.bare.create(wheels, WHEEL);
  expect(await codeOf(store.read(wheels))).toBe('RECORD_NOT_PROVED');
  await store.setAside(wheels);
  expect(await world.bare.read(wheels)).toBeNull();
});

test('given a known result, when it is linked as the result of a run, then it is accepted there', async () => {
  const world = await aWorld();
  const known = records.known(WHEEL.key);
  await builder(world).create(known, WHEEL);
  expect(await control(world).again!([{ of: known, as: wheels }])).toEqual([WHEEL]);
  expect(await control(world).read(wheels)).toEqual(WHEEL);
});

test('given a forged record under the second name, then it is not accepted as ours', async () => {
  const world = await aWorld();
  const known = records.known(WHEEL.key);
  await builder(world).create(known, WHEEL);
  await world.bare.create(wheels, WHEEL);
  expect(await control(world).again!([{ of: known, as: wheels }])).toEqual([null]);
});
