/** @needs s3 */
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { drawPages } from '../../../src/activities/index/draw-pages.js';
import type { IndexPlace } from '../../../src/activities/index/ports.js';
import { Bucket } from '../../../src/adapters/s3-store/bucket.js';
import { openBucketPlace } from '../../../src/adapters/static-index/bucket.js';
import { indexPaths, SIDECAR } from '../../../src/model/python/index-entry.js';
import { PLATFORM, put, wheel } from '../../activities/index/an-index.js';
import { aServer, withS3, type Server } from '../s3-store/a-server.js';

withS3('given an index in a bucket', () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  let folders = 0;
  const aPlace = () => {
    folders += 1;
    const bucket = new Bucket({ ...server.settings, prefix: `index-${folders}/`, patienceMs: 5_000 });
    return { bucket, place: openBucketPlace('cache', `s3://slipway/index-${folders}`, () => bucket) };
  };
  const namesIn = async (place: IndexPlace, project: string): Promise<readonly string[]> => {
    const page = await place.read(indexPaths.page(PLATFORM, project, 'json'));
    return (JSON.parse(page!.text) as { files: { filename: string }[] }).files.map(({ filename }) => filename);
  };

  test('when pages are drawn, then they have the types that pip wants, and files the other ones', async () => {
    const { bucket, place } = aPlace();
    await put(place, wheel('boat', '1'));
    await drawPages(place, PLATFORM, ['boat']);
    const typeAt = async (path: string) =>
      (await bucket.client.send(new HeadObjectCommand(bucket.at(path)))).ContentType;
    expect(await typeAt(indexPaths.page(PLATFORM, 'boat', 'json'))).toBe('application/vnd.pypi.simple.v1+json');
    expect(await typeAt(indexPaths.root(PLATFORM, 'html'))).toBe('text/html; charset=utf-8');
    expect(await typeAt(indexPaths.rollup(PLATFORM))).toBe('application/json');
    expect(await namesIn(place, 'boat')).toEqual([wheel('boat', '1')]);
  });

  test('when a text that may be replaced is written, then no cache may keep it without asking', async () => {
    const { bucket, place } = aPlace();
    const file = indexPaths.file(PLATFORM, 'boat', wheel('boat', '1'));
    const texts = [file + SIDECAR, indexPaths.refresh(PLATFORM, 'sea'), indexPaths.page(PLATFORM, 'boat', 'html')];
    for (const path of texts) await place.create(path, 'text');
    const kept = texts.map(
      async (path) => (await bucket.client.send(new HeadObjectCommand(bucket.at(path)))).CacheControl,
    );
    expect(await Promise.all(kept)).toEqual(['no-cache', 'no-cache', 'no-cache']);
  });

  test('when a path is created twice at once, then one writer wins, also for files', async () => {
    const { place } = aPlace();
    const won = await Promise.all(['one', 'two', 'three'].map((text) => place.create('a', text)));
    expect(won.filter(Boolean)).toHaveLength(1);
    const from = join(mkdtempSync(join(tmpdir(), 'slipway-')), 'a.whl');
    writeFileSync(from, 'bytes');
    expect(await place.createFile('f/a.whl', from)).toBe(true);
    writeFileSync(from, 'other');
    expect(await place.createFile('f/a.whl', from)).toBe(false);
    expect(await place.digest('f/a.whl')).toBe(`sha256:${createHash('sha256').update('bytes').digest('hex')}`);
    expect(await place.digest('f/b.whl')).toBeNull();
  });

  test('when a page has changed since it was read, then a swap is refused and the page stays', async () => {
    const { place } = aPlace();
    await place.create('p', 'old');
    const seen = await place.read('p');
    expect(await place.swap('p', 'first', seen)).toBe(true);
    expect(await place.swap('p', 'second', seen)).toBe(false);
    expect(await place.swap('p', 'third', null)).toBe(false);
    expect((await place.read('p'))?.text).toBe('first');
  });

  test('when six writers draw for themselves at once, then no listing is lost', async () => {
    const { place } = aPlace();
    await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        await put(place, wheel('boat', `1.${at}`));
        await drawPages(place, PLATFORM, ['boat']);
      }),
    );
    expect(await namesIn(place, 'boat')).toHaveLength(6);
  });

  test('when the server is away, then the problem is that of a target', async () => {
    const bucket = new Bucket({ ...server.settings, endpoint: 'http://127.0.0.1:9', patienceMs: 300 });
    const place = openBucketPlace('cache', 's3://slipway/x', () => bucket);
    await expect(place.list('x/')).rejects.toMatchObject({
      problems: [{ code: 'TARGET_UNREACHABLE', class: 'infra' }],
    });
  });
});
