/** @needs s3 */
import { createArchives } from '../../../src/adapters/archive/index.js';
import { createTargets } from '../../../src/adapters/targets.js';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import { makeBodies } from '../../../src/activities/kind-bodies.js';
import type { Connection } from '../../../src/activities/publish/ports.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { aServer, withS3, type Server } from '../../adapters/s3-store/a-server.js';
import { aWheel, wheelName } from '../../support/a-wheel.js';
import { aStep, anArtifact, newHome, runBody } from '../../support/run-body.js';
import { aTarget, built, codesOf } from './release.js';

withS3('given a bucket as static index', () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  const targets = createTargets({ patienceMs: 2_000 });
  const target = (password = 'a secret of this test') =>
    aTarget({
      ...{ name: 'cache', kind: 'simple', address: 's3://slipway/wheels', username: 'somebody', password },
      extra: { kind: 'simple', reads: null, endpoint: server.settings.endpoint! },
    });
  const connection = (): Connection => ({
    ...{ ...target(), extra: target().extra! },
    ...{ staging: null, secrets: {}, version: '1' },
  });
  const place = () => targets.index!(connection())!;
  const bodies = makeBodies(['proveTarget', 'publishArtifacts'], {
    targets,
    images: null,
    readBackWaitsMs: [20, 50],
    listing: {
      archives: createArchives(),
      writer: { list: async () => ({ findings: await drawPages(place(), 'debian-12', ['boat']) }) },
    },
  });

  async function publish(commit: string, to = target()) {
    const home = await newHome();
    const build = built([await anArtifact(home, wheelName(), await aWheel({ commit }), { kind: 'wheel' })]);
    const params = { target: to, of: [build.step], tags: ['debian-12'], when: 'built' } as const;
    const step = aStep('publishArtifacts', params, { id: 'publish/cache/boat' });
    return runBody(bodies.publishArtifacts, step, { home, inputs: [build], sealedAs: null });
  }
  const pageOf = async () => JSON.parse((await place().read(indexPaths.page('debian-12', 'boat', 'json')))!.text);

  test('when a wheel is published twice, and then with other bytes, then the first bytes are listed once', async () => {
    expect((await publish('first')).made).toMatchObject({ note: '1 file uploaded', findings: [] });
    const page = await pageOf();
    expect(page).toMatchObject({ files: [{ filename: wheelName() }] });
    expect((await publish('first')).made).toMatchObject({ note: '1 file already there' });
    expect((await publish('second')).made.findings).toMatchObject([{ code: 'NOT_REPRODUCIBLE' }]);
    expect(await pageOf()).toEqual(page);
  });

  test('when its key is refused, then the proof says so before anything is built', async () => {
    const prove = (to: ReturnType<typeof target>) =>
      newHome().then((home) =>
        runBody(bodies.proveTarget, aStep('proveTarget', { target: to, project: 'x', version: '1', tags: [] }), {
          home,
        }),
      );
    expect((await prove(target())).made.note).toContain('answers');
    expect(await prove(target('another secret')).catch(codesOf)).toEqual(['TARGET_DENIED']);
  });
});
