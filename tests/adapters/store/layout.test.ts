import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../../src/adapters/store/open.js';
import { newHome, sha256 } from '../../support/run-body.js';
import { layoutBehaviour, put } from './layout-behaviour.js';

describe('the layout in a folder', () => {
  const open = async () => {
    const home = await newHome();
    const real = (path: string): string => join(home, 'store', 'layout', 'skiff', path);
    return { store: await openStore({}, home), real, readReal: (path: string) => readFile(real(path), 'utf8') };
  };
  layoutBehaviour(open);

  it('given a file replaced by hand, then the answer names its actual digest', async () => {
    const { store, real } = await open();
    const digest = await put(store, 'ours');
    await store.layout('skiff').place('b/c/file', digest);
    rmSync(real('b/c/file'));
    writeFileSync(real('b/c/file'), 'theirs');
    chmodSync(real('b/c/file'), 0o644);
    expect(await store.layout('skiff').place('b/c/file', digest)).toEqual({ digest: sha256('theirs'), size: 6 });
  });

  it('given an altered object, then its name gets the right bytes again', async () => {
    const { store, real, readReal } = await open();
    const digest = await put(store, 'ours');
    await store.layout('skiff').place('b/c/file', digest);
    chmodSync(real('b/c/file'), 0o644);
    writeFileSync(real('b/c/file'), 'sour'); // the object's own file by another name
    expect(await store.sound(digest)).toBe(false);
    expect(await put(store, 'ours')).toBe(digest);
    expect(await store.layout('skiff').place('b/c/file', digest)).toEqual({ digest, size: 4 });
    expect([await readReal('b/c/file'), await store.sound(digest)]).toEqual(['ours', true]);
  });

  it('given concurrent moves of a branch’s latest, then a link follows it, for tools without Slipway', async () => {
    const { store, real } = await open();
    const layout = store.layout('skiff');
    const commits = Array.from({ length: 8 }, (_, at) => String(at + 1).repeat(40));
    for (const commit of commits) await layout.place(`main/${commit}/a.whl`, await put(store, commit));
    const move = (commit: string) =>
      layout.moveLatest('main', { commit, at: '', version: '1', run: 'r' }, (now) => commit > now.commit);
    await Promise.all([...commits].reverse().map(move));
    await Promise.all(commits.map(move));
    expect(await readFile(real('main/latest/a.whl'), 'utf8')).toBe(commits.at(-1));
  });
});
