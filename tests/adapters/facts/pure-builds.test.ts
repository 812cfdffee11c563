/** @needs tools */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../../src/activities/ports.js';
import { gatherFacts, planWithRows } from '../../../src/adapters/facts/index.js';
import { sha256 } from '../../../src/adapters/sha256.js';
import { digestOf } from '../../../src/model/digest.js';
import type { PureBuild } from '../../../src/model/pure-build.js';
import { records } from '../../../src/model/run-folder.js';
import { aListOfTwo, LISTED, SDIST, type WheelListWorld } from '../../support/a-wheel-list.js';
import { pastOf } from '../../support/past-of.js';

let world: WheelListWorld;
let store: Store;
beforeEach(async () => {
  ({ world, store } = await aListOfTwo({ hashes: { sha256: 'b'.repeat(64) } }));
  writeFileSync(world.file, LISTED.replace('file: uc.txt', 'file: uc.txt\n    pure: skip'));
});
afterEach(() => world.end());

const past = pastOf(() => store);
const SKIFF: PureBuild = { file: 'skiff-1.0-py3-none-any.whl', requires: [], env: {}, packages: [] };
const keep = () => store.create(records.pure(`sha256:${SDIST}`, digestOf(SKIFF, sha256)), SKIFF);
const countsOf = ({ plan }: Awaited<ReturnType<typeof planWithRows>>) => plan.imports!.of[0]!.counts;

test('given `pure: skip`, then an sdist is built until the store has a pure build of it, and is left out from then on', async () => {
  expect(countsOf(await planWithRows(world.file, 'local', undefined, past))).toEqual({ build: 4 });
  await keep();
  const made = await planWithRows(world.file, 'local', undefined, past);
  expect(countsOf(made)).toEqual({ build: 2, 'left out': 2 });
  expect(made.plan.steps.some(({ id }) => id.includes('skiff'))).toBe(false);
  expect(made.rows!.rows['wheels/constraints']).toContainEqual(
    expect.objectContaining({
      subject: 'skiff==1.0 debian-12 cp311',
      reason: '`pure` is skip, and an earlier build gave skiff-1.0-py3-none-any.whl',
    }),
  );
});

/** By default the label is the minute of planning. */
const LABEL = { label: 'one' };

test('given the facts of a plan, then it is planned again after the store is lost', async () => {
  await keep();
  const { source } = await gatherFacts(world.file, 'local', undefined, {}, past);
  const { plan } = await planWithRows(world.file, 'local', LABEL, past);
  rmSync(join(world.folder, 'store'), { recursive: true });
  const again = await planWithRows(world.file, 'local', LABEL, undefined, source);
  expect(again.plan.steps).toEqual(plan.steps);
  expect(countsOf(again)).toEqual({ build: 2, 'left out': 2 });
});
