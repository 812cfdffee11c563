/** @needs s3 */
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { dueFiles, markRemoved, removeDue } from '../../../src/activities/index/prune.js';
import { readIndex } from '../../../src/activities/index/read-index.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { aServer, withS3, type Server } from '../../adapters/s3-store/a-server.js';
import { anEntry, digest } from '../../engine/index/an-entry.js';
import { aTarget } from '../publish/release.js';
import { PLATFORM, put } from './an-index.js';

const FILE = 'boat-1-cp311-cp311-linux_x86_64.whl';

withS3('given an index in a bucket', () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  test('when a wheel is pruned, then its page is empty at once, and its bytes leave after the grace', async () => {
    const password = 'a secret of this test';
    const target = aTarget({
      ...{ name: 'cache', kind: 'simple', address: 's3://slipway/wheels', username: 'somebody', password },
      extra: { kind: 'simple', reads: null, endpoint: server.settings.endpoint! },
    });
    const to = { ...target, extra: target.extra!, staging: null, secrets: {}, version: '1' };
    const place = createTargets({ patienceMs: 2_000 }).index!(to)!;
    await put(place, FILE);
    await drawPages(place, PLATFORM, ['boat']);
    expect((await readIndex(place, PLATFORM)).wheels).toMatchObject([{ wheel: { file: FILE }, isThere: true }]);

    const at = '2026-11-23T03:00:00.000Z';
    const { names } = await markRemoved(place, {
      ...{ slipway: 1, kind: 'prune order', at, by: 'ann', because: null, review: digest('f'), graceMs: 1000 },
      ...{ release: { name: 'boats', version: '1' }, profile: { name: 'live', rehearsal: false }, target },
      ...{ platforms: [PLATFORM], stay: [] },
      remove: [{ platform: PLATFORM, file: FILE, digest: anEntry(FILE).digest }],
    });
    expect(names).toEqual([`${PLATFORM}/boat`]);
    await drawPages(place, PLATFORM, ['boat']);
    expect((await place.read(indexPaths.page(PLATFORM, 'boat', 'json')))!.text).toContain('"files":[]');

    expect(await dueFiles(place, PLATFORM, Date.parse(at))).toEqual([]);
    await removeDue(place, PLATFORM, await dueFiles(place, PLATFORM, Date.parse(at) + 1000));
    expect(await place.list(indexPaths.files(PLATFORM))).toEqual([]);
    expect(await place.list(indexPaths.due(PLATFORM))).toEqual([]);
    expect(await place.list(indexPaths.entries(PLATFORM))).toHaveLength(1);
  });
});
