/** @needs registries tools */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { objectPath } from '../../../src/adapters/store/objects.js';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { records } from '../../../src/model/run-folder.js';
import { digest } from '../../engine/index/an-entry.js';
import { DIGEST } from '../../importers/wheel-list/import-lists.js';
import { snapshot } from '../index/an-index.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { startWheelIndex } from '../../support/registries.js';
import { anArtifact, newHome } from '../../support/run-body.js';
import { anIndex, judged, PLATFORM, wheelIn } from './a-rebuilt-index.js';

const tools = join(process.cwd(), '.tools', 'bin');
const run = promisify(execFile);

/** Wheels of a folder's page, and what stands below it, without times. */
const textsIn = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(snapshot(root)).map(([path, text]) => [path, text.replace(/^\S+ /, '')]));

let served: Awaited<ReturnType<typeof startWheelIndex>> | null = null;
afterAll(() => served?.stop());

describe('given a listed wheel', () => {
  test('when it is built again with the same bytes, then no file changes, and the store says from what it was built', async () => {
    const { home, root, publish, store } = await anIndex();
    const wheel = await wheelIn(home);
    await publish(wheel);
    const before = snapshot(root);
    await publish(wheel, { base: 'b', epoch: 2, run: 'another-run' });
    expect(snapshot(root)).toEqual(before);
    const [confirmed] = await store.list(records.confirmed(wheel.digest));
    expect(await store.read(confirmed!)).toEqual({ source: null, base: digest('b'), epoch: 2, run: 'another-run' });
  });

  test('when it is published again from the same base and epoch, then nothing is recorded', async () => {
    const { home, publish, store } = await anIndex();
    const wheel = await wheelIn(home);
    await publish(wheel);
    await publish(wheel, { run: 'another-run' });
    expect(await store.list(records.confirmed(wheel.digest))).toEqual([]);
  });

  test('when one with a build number is published, then both are listed, and pip and uv take the higher number', async () => {
    served = await startWheelIndex(await newHome());
    const { home, publish } = await anIndex(served.root);
    await publish(await wheelIn(home, { code: 'built = 0\n' }));
    const tagged = wheelName({ python: 'py3' }).replace('boat-3.0-', 'boat-3.0-1-');
    const again = await aWheel({ python: 'py3', code: 'built = 1\n' });
    await publish(await anArtifact(home, tagged, again, { kind: 'wheel' }));
    const installers = [
      [join(tools, 'python'), '-m', 'pip', 'install', '--isolated', '--no-cache-dir'],
      [join(tools, 'uv'), 'pip', 'install', '--no-config', '--no-cache', '--python', join(tools, 'python')],
    ];
    for (const [program, ...line] of installers) {
      const into = mkdtempSync(join(tmpdir(), 'slipway-into-'));
      const from = ['--index-url', `${served.address}${PLATFORM}/simple/`, '--target', into, '--no-deps', 'boat==3.0'];
      await run(program!, [...line, ...from]);
      expect(readFileSync(join(into, 'boat', '__init__.py'), 'utf8')).toBe('built = 1\n');
    }
  });
});

describe('given a listed wheel that was built from another sdist than the index upstream has', () => {
  // `importLists` has this digest for each sdist.
  const now = { source: DIGEST[0]!, run: 'another-run' };

  test('when it is built again with other bytes, then once, under the next build number', async () => {
    const index = await anIndex();
    const first = await wheelIn(index.home, { code: 'built = 0\n' });
    await index.publish(first, { source: '1' });
    const { row, again } = await judged(index);
    expect(row).toContain(': build: ours was built from another boat-3.0.tar.gz');
    expect(again).toMatchObject([{ file: first.name, digest: first.digest, build: 1 }]);
    const tagged = first.name.replace('boat-3.0-', 'boat-3.0-1-');
    const bytes = await aWheel({ python: 'py3', code: 'built = 1\n' });
    await index.publish(await anArtifact(index.home, tagged, bytes, { kind: 'wheel' }), now);
    expect((await judged(index)).row).toContain(`: here: ${tagged}`);
  });

  test('when it is built again with its bytes, then it is confirmed, and not built once more', async () => {
    const index = await anIndex();
    const wheel = await wheelIn(index.home);
    await index.publish(wheel, { source: '1' });
    await index.publish(wheel, now);
    expect((await judged(index)).row).toContain(`: here: ${wheel.name}`);
  });
});

describe('given an index whose folder is lost', () => {
  test('when its wheels are restored, then every byte is as before', async () => {
    const { home, root, publish, restored } = await anIndex();
    const wheels = [await wheelIn(home), await wheelIn(home, { version: '4.0' })];
    for (const wheel of wheels) await publish(wheel);
    const before = textsIn(root);
    rmSync(join(root, PLATFORM), { recursive: true });
    expect((await restored(...wheels)).map(({ state, why }) => [state, why])).toEqual([
      ['restored', null],
      ['restored', null],
    ]);
    expect(textsIn(root)).toEqual(before);
    expect((await restored(...wheels)).map(({ state }) => state)).toEqual(['there', 'there']);
  });

  test('when the store lacks a wheel, or the index has other bytes, then each is named with the reason', async () => {
    const { home, root, publish, restored, store } = await anIndex();
    const [gone, other, sound] = [
      await wheelIn(home),
      await wheelIn(home, { version: '4.0' }),
      await wheelIn(home, { version: '5.0' }),
    ];
    for (const wheel of [gone, other, sound]) await publish(wheel);
    for (const folder of ['files', 'entries', 'simple']) rmSync(join(root, PLATFORM, folder), { recursive: true });
    rmSync(objectPath(join(home, 'store'), gone.digest));
    const taken = join(root, PLATFORM, 'files/boat', other.name);
    await openFolder('cache', root).create(`${PLATFORM}/files/boat/${other.name}`, 'other bytes');
    expect(await store.has(gone.digest)).toBe(false);
    const rows = await restored(gone, other, sound);
    expect(rows.map(({ file, state }) => [file, state])).toEqual([
      [gone.name, 'lost'],
      [other.name, 'differs'],
      [sound.name, 'restored'],
    ]);
    expect(rows.map(({ why }) => why)).toEqual([
      expect.stringContaining('sha256:'),
      expect.stringContaining('and its entry said'),
      null,
    ]);
    expect(readFileSync(taken, 'utf8')).toBe('other bytes');
  });

  test('when a wheel was removed from it before, then it stays away', async () => {
    const { home, root, publish, restored } = await anIndex();
    const wheel = await wheelIn(home);
    await publish(wheel);
    rmSync(join(root, PLATFORM), { recursive: true });
    const gone = { slipway: 1, file: wheel.name, state: 'removed', by: 'ann', because: 'pruned', review: null };
    const path = indexPaths.goneFile(PLATFORM, 'boat', wheel.name);
    await openFolder('cache', root).create(path, JSON.stringify(gone));
    expect(await restored(wheel)).toEqual([]);
  });
});
