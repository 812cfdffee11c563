/** @needs tools */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { Artifact } from '../../../src/model/artifact.js';
import { indexPaths, type Gone } from '../../../src/model/python/index-entry.js';
import { digest } from '../../engine/index/an-entry.js';
import { listedIn } from '../index/an-index.js';
import { aWheel } from '../../support/a-wheel.js';
import { anArtifact } from '../../support/run-body.js';
import { anIndex, judged, PLATFORM, wheelIn } from './a-rebuilt-index.js';
import { codesOf } from './release.js';

type Index = Awaited<ReturnType<typeof anIndex>>;

const goneOf = (file: string, more: Partial<Gone> = {}): string => {
  const gone: Gone = { slipway: 1, file, state: 'removed', by: 'ann', because: 'pruned', review: digest('f'), ...more };
  return JSON.stringify(gone);
};

/** An index of one wheel, which is then taken from its page. */
async function anIndexWithout(take: (index: Index, file: string) => Promise<unknown>) {
  const index = await anIndex();
  const first = await wheelIn(index.home, { code: 'built = 0\n' });
  await index.publish(first);
  await take(index, first.name);
  await drawPages(index.place, PLATFORM, ['boat']);
  return { ...index, first };
}

const record =
  (more: Partial<Gone> = {}) =>
  ({ place }: Index, file: string) =>
    place.create(indexPaths.goneFile(PLATFORM, 'boat', file), goneOf(file, more));
const lose = async ({ root }: Index, file: string): Promise<void> =>
  rmSync(join(root, indexPaths.file(PLATFORM, 'boat', file)));
const byHand = record({ review: null, because: 'it is broken' });

const otherBytes = async (home: string, first: Artifact, number = ''): Promise<Artifact> =>
  anArtifact(
    home,
    first.name.replace('boat-3.0-', `boat-3.0-${number}`),
    await aWheel({ python: 'py3', code: 'built = 1\n' }),
    {
      kind: 'wheel',
    },
  );

const codesFrom = (made: Promise<unknown>): Promise<unknown> => made.then(() => 'done', codesOf);

describe.each([
  ['a prune removed', record()],
  ['has lost its file', lose],
])('given a wheel that %s and that is wanted again', (_, take) => {
  test('when other bytes are built, then they are listed under the next build number', async () => {
    const { home, root, publish, first, ...index } = await anIndexWithout(take);
    const { row, again } = await judged({ root, ...index });
    expect(row).toContain(': build: ');
    expect(again).toMatchObject([{ file: first.name, digest: first.digest, build: 1 }]);
    const next = await otherBytes(home, first, '1-');
    await publish(next);
    expect(listedIn(root, 'boat')).toEqual([next.name]);
    expect((await judged({ root, ...index })).row).toContain(`: here: ${next.name}`);
  });

  test('when the same bytes are built, then they are listed again under their name', async () => {
    const { root, publish, first } = await anIndexWithout(take);
    await publish(first);
    expect(listedIn(root, 'boat')).toEqual([first.name]);
  });

  test('when other bytes are published under its name, then the step fails, because no page has the wheel', async () => {
    const { home, root, publish, first } = await anIndexWithout(take);
    expect(await codesFrom(publish(await otherBytes(home, first)))).toEqual(['INDEX_NAME_USED']);
    expect(listedIn(root, 'boat')).toEqual([]);
  });
});

describe('given a wheel that a person removed by hand', () => {
  test('when it is planned again, then its build gets no number, and other bytes fail', async () => {
    const { home, publish, first, ...index } = await anIndexWithout(byHand);
    expect(await judged(index)).toMatchObject({ again: undefined });
    expect(await codesFrom(publish(await otherBytes(home, first)))).toEqual(['INDEX_NAME_USED']);
  });

  test('when `epochs` is raised, then its build gets the next number', async () => {
    const { first, ...index } = await anIndexWithout(byHand);
    expect((await judged(index, { wheels: 1 })).again).toMatchObject([{ file: first.name, build: 1 }]);
  });
});
