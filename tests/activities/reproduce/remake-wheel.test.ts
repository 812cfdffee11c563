/** @needs sandbox */
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { insideOf } from '../../../src/activities/index/look-inside.js';
import { remakeWheel, type RemakingParts } from '../../../src/activities/reproduce/remake-wheel.js';
import { keyOf } from '../../../src/activities/step/reuse.js';
import type { Bodies, Body } from '../../../src/activities/work.js';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { objectPath } from '../../../src/adapters/store/objects.js';
import { wheelStatement } from '../../../src/engine/index/statement.js';
import type { Artifact } from '../../../src/model/artifact.js';
import type { Digest } from '../../../src/model/digest.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Params } from '../../../src/model/params.js';
import type { Plan, Step } from '../../../src/model/plan.js';
import type { IndexEntry } from '../../../src/model/python/index-entry.js';
import type { Remade } from '../../../src/model/remade.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { anEntry, digest } from '../../engine/index/an-entry.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { aPlan, aResult, aStep, anArtifact, newHome, realSurroundings, sha256 } from '../../support/run-body.js';

const FILE = wheelName({ python: 'py3' });
const wheelOf = (code: string): Promise<Buffer> => aWheel({ python: 'py3', code });
const image = (name: string): Artifact => ({
  ...{ kind: 'image', name: 'base', digest: digest(name), size: 1, labels: {} },
});
const source = aStep('fetchSource', {} as Params['fetchSource'], { id: 'source/boat' });
const base = aStep('makeBase', {} as Params['makeBase'], { id: 'bases/of-platform/debian-12' });
const needs = [source.id, base.id];
const first = aStep('buildWheel', {} as Params['buildWheel'], { id: 'wheels/boat/cp311', needs });
const sameAs = { sameAs: first.id } as unknown as Params['buildWheel'];
const second = aStep('buildWheel', sameAs, { id: 'wheels/boat/cp313', needs });

interface World {
  /** Bytes that the builds give now. */
  readonly code?: string;
  readonly lock?: string;
  readonly base?: string;
  readonly sdist?: string;
  readonly builder?: Digest;
  readonly fails?: boolean;
  /** Step that the index listed. */
  readonly of?: string;
}

/** A run that listed a wheel, whose copies the store lost. */
async function aRun(now: World = {}) {
  const home = await newHome();
  const around = realSurroundings(home);
  const { store } = around;
  const bytes = await wheelOf('built = 0\n');
  const [wheel, lock, sdist] = [
    await anArtifact(home, FILE, bytes, { kind: 'wheel' }),
    await anArtifact(home, 'boat.build.txt', Buffer.from('setuptools==79\n'), { kind: 'buildLock' }),
    await anArtifact(home, 'boat-3.0.tar.gz', Buffer.from('the sdist'), { kind: 'sdist' }),
  ];
  const params = { of: [now.of ?? first.id] } as unknown as Params['publishArtifacts'];
  const publish = aStep('publishArtifacts', params, { id: 'publish/cache/wheels.boat' });
  const plan: Plan = aPlan({ steps: [source, base, first, second, publish] as unknown as readonly Step[] });
  const planned = (await store.put(asBytes(canonical(plan)))).digest;
  const inputs = [aResult(source, { artifacts: [sdist] }), aResult(base, { artifacts: [image('b')] })];
  const key = now.builder ?? keyOf(plan, first, { inputs, toolchain: null, epoch: null }, sha256);
  const built: Result = { ...aResult(first, { artifacts: [wheel, lock] }), key };
  const taken = aResult(second, { artifacts: [wheel] });
  for (const result of [...inputs, built, taken]) await store.create(records.result('r-1', result.step), result);
  const from = { source: sdist.digest, lock: null, base: digest('b') };
  const stated = wheelStatement({ file: FILE, digest: wheel.digest, from, plan: planned, step: now.of ?? first.id });
  const metadata = await metadataOf(home, bytes);
  const entry: IndexEntry = anEntry(FILE, {
    ...{ digest: wheel.digest, from, metadata: sha256(metadata), statement: sha256(stated) },
  });
  const ran: string[] = [];
  const bodies = bodiesOf(now, ran, { lock, sdist });
  const parts: RemakingParts = {
    ...{ around, planOf: async () => plan, bodies: () => bodies },
    ...{ archives: createArchives(), signal: new AbortController().signal },
  };
  const remake = (more: Partial<IndexEntry> = {}): Promise<Remade> =>
    remakeWheel({ plan: planned, run: 'r-1', step: publish.id, entry: { ...entry, ...more } }, parts);
  const lose = (...lost: readonly Digest[]): void =>
    lost.forEach((one) => rmSync(objectPath(join(home, 'store'), one)));
  return { around, entry, wheel, sdist, ran, remake, lose };
}

async function metadataOf(home: string, bytes: Buffer): Promise<string> {
  const wheel = join(home, FILE);
  await writeFile(wheel, bytes);
  return (await insideOf({ archives: createArchives() }, { file: FILE, wheel, folder: await newHome() })).metadata;
}

function bodiesOf(now: World, ran: string[], was: { readonly lock: Artifact; readonly sdist: Artifact }): Bodies {
  const body =
    (make: Body<KindName>): Body<KindName> =>
    (work) => (ran.push(work.step.id), make(work));
  const file = async (...[work, name, bytes]: readonly [Parameters<Body<KindName>>[0], string, Buffer | string]) => {
    await writeFile(join(work.folder, name), bytes);
    return join(work.folder, name);
  };
  return {
    fetchSource: body(async (work) => {
      const sdist = await work.keep(await file(work, was.sdist.name, now.sdist ?? 'the sdist'), 'sdist');
      return { artifacts: [sdist], note: '' };
    }),
    makeBase: body(async () => ({ artifacts: [image(now.base ?? 'b')], note: '' })),
    buildWheel: body(async (work) => {
      if (now.fails) await work.must(['false']);
      const wheel = await work.keep(await file(work, FILE, await wheelOf(now.code ?? 'built = 0\n')), 'wheel');
      const lock = await work.keep(await file(work, was.lock.name, now.lock ?? 'setuptools==79\n'), 'buildLock');
      return { artifacts: [wheel, lock], note: '' };
    }),
  } as unknown as Bodies;
}

async function* asBytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

test.each([first.id, second.id])(
  'given a lost wheel of %s, when it is built again, then the store has wheel, METADATA and statement, and no new record',
  async (of) => {
    const { around, entry, wheel, ran, remake, lose } = await aRun({ of });
    lose(wheel.digest);
    const before = await around.store.list('runs/');
    expect(await remake()).toEqual({ file: FILE, digest: wheel.digest, why: null });
    expect(ran).toEqual([base.id, first.id]);
    for (const one of [wheel.digest, entry.metadata, entry.statement]) expect(await around.store.sound(one)).toBe(true);
    expect(await around.store.list('runs/')).toEqual(before);
  },
);

test('given a wheel that the store has, when its texts are lost, then nothing is built', async () => {
  const { around, entry, ran, remake } = await aRun();
  expect((await remake()).why).toBeNull();
  expect(ran).toEqual([]);
  expect(await around.store.sound(entry.statement)).toBe(true);
});

test('given a lost sdist, then it is fetched again before the build', async () => {
  const { wheel, sdist, ran, remake, lose } = await aRun();
  lose(wheel.digest, sdist.digest);
  expect((await remake()).why).toBeNull();
  expect(ran).toEqual([source.id, base.id, first.id]);
});

test.each<[string, World, string]>([
  ['nothing else', {}, 'it is not reproducible: sdist, base, lock and builder are the same'],
  ['another lock', { lock: 'setuptools==80\n' }, 'its build requirements are locked as '],
  ['another base', { base: 'c' }, 'bases/of-platform/debian-12 has other bytes than in its run'],
  ['another builder', { builder: digest('0') }, 'this version of Slipway builds wheels otherwise'],
])('given other bytes and %s, then the reason is named', async (_, now, why) => {
  const { around, wheel, remake, lose } = await aRun({ code: 'built = 1\n', ...now });
  lose(wheel.digest);
  const remade = await remake();
  expect(remade.digest).not.toBe(wheel.digest);
  expect(remade.why).toContain(why);
  expect(await around.store.sound(wheel.digest)).toBe(false);
});

test.each<[string, World, Partial<IndexEntry>, string]>([
  ['it does not build', { fails: true }, {}, 'it was not built: COMMAND_FAILED'],
  ['no step of its run gave it', {}, { digest: digest('9') }, 'the store has no result of its build in run r-1'],
  ['its METADATA is another', {}, { metadata: digest('9') }, 'the store lacks its METADATA 9999'],
])('given a lost wheel, when %s, then it stays lost with the reason', async (_, now, more, why) => {
  const { wheel, remake, lose } = await aRun(now);
  lose(wheel.digest);
  expect((await remake(more)).why).toContain(why);
});
