import type { Latest, Store } from '../../../src/activities/ports.js';
import type { OpenStore } from '../../../src/adapters/store/opened.js';
import type { Digest } from '../../../src/model/digest.js';
import { sha256 } from '../../support/run-body.js';

const FOLDER = `releases/1.x/${'c'.repeat(40)}`;

export const put = async (store: Store, text: string): Promise<Digest> =>
  (
    await store.put(
      (async function* () {
        yield Buffer.from(text);
      })(),
    )
  ).digest;

/** What every store's layout does. @param readReal the bytes that a user's own tools see at a path of the release `skiff` */
export function layoutBehaviour(
  open: () => Promise<{ store: OpenStore; readReal: (path: string) => Promise<string> }>,
): void {
  it('given an object, then its bytes are at its real name', async () => {
    const { store, readReal } = await open();
    const layout = store.layout('skiff');
    const path = `${FOLDER}/skiff-1.0+cu121-py3-none-any.whl`;
    expect(await layout.find(path)).toBeNull();
    const digest = await put(store, 'a wheel');
    expect(await layout.place(path, digest)).toEqual({ digest, size: 7 });
    expect(await readReal(path)).toBe('a wheel');
    expect(await layout.find(path)).toEqual({ digest, size: 7 });
  });

  it('given the same bytes, then it accepts them; given other bytes, then the first stay', async () => {
    const { store, readReal } = await open();
    const layout = store.layout('skiff');
    const [first, other] = [await put(store, 'first'), await put(store, 'other bytes')];
    const path = `${FOLDER}/jars/linux-x86_64/skiff.jar`;
    for (const digest of [first, first, other])
      expect(await layout.place(path, digest)).toMatchObject({ digest: first });
    expect(await readReal(path)).toBe('first');
  });

  it('given concurrent placements of other bytes, then one wins, and all see it', async () => {
    const { store, readReal } = await open();
    const digests = await Promise.all(Array.from({ length: 8 }, (_, at) => put(store, `racer ${at}`)));
    const there = await Promise.all(digests.map((digest) => store.layout('skiff').place(`${FOLDER}/race`, digest)));
    expect(new Set(there.map(({ digest }) => digest)).size).toBe(1);
    expect(sha256(await readReal(`${FOLDER}/race`))).toBe(there[0]!.digest);
  });

  it("given a prefix, then it lists this release's paths below it", async () => {
    const { store } = await open();
    const digest = await put(store, 'x');
    for (const path of ['m/1/b', 'm/1/jars/p/a', 'm/12/c']) await store.layout('list').place(path, digest);
    await store.layout('other').place('m/1/z', digest);
    expect(await store.layout('list').list('m/1/')).toEqual(['m/1/b', 'm/1/jars/p/a']);
    expect(await store.layout('list').list('nowhere/')).toEqual([]);
  });

  it("given a rule, then the branch's latest moves only by it, and files are read through it", async () => {
    const { store } = await open();
    const layout = store.layout('skiff');
    const commits = [1, 2, 3].map((number) => String(number).repeat(40));
    const to = (number: number): Latest => ({ commit: commits[number - 1]!, at: '', version: `${number}`, run: 'r' });
    const move = (branch: string, number: number) =>
      layout.moveLatest(branch, to(number), (now) => number > Number(now.version));
    for (const commit of commits) await layout.place(`releases/2.x/${commit}/a.whl`, await put(store, commit));
    expect([await layout.find('releases/2.x/latest/a.whl'), await layout.list('releases/2.x/latest/')]).toEqual([
      null,
      [],
    ]);
    expect(await move('releases/2.x', 2)).toEqual(to(2));
    expect(await move('releases/2.x', 1)).toEqual(to(2));
    expect(await layout.find('releases/2.x/latest/a.whl')).toMatchObject({ digest: sha256(commits[1]!) });
    // A branch that is named like the folder of another has its own.
    expect(await move('releases', 1)).toEqual(to(1));
    await Promise.all([3, 1, 2, 3].map((number) => move('releases/2.x', number)));
    expect(await layout.list('releases/2.x/latest/')).toEqual([`releases/2.x/${commits[2]}/a.whl`]);
  });

  it('given missing objects or paths that lead outside, then they are refused', async () => {
    const { store } = await open();
    const layout = store.layout('skiff');
    await expect(layout.place('a/b', sha256('nobody stored this'))).rejects.toMatchObject({
      first: { code: 'STORE_MISSING' },
    });
    for (const path of ['../a', 'a//b', 'a/./b', '/a', 'a/b/', 'a\\b', 'a\nb', ''])
      await expect((async () => layout.find(path))()).rejects.toMatchObject({ first: { code: 'LAYOUT_NAME_REFUSED' } });
  });
}
