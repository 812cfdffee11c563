/** @needs s3 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createS3Store } from '../../../src/adapters/s3-store/index.js';
import { sha256 } from '../../support/run-body.js';
import { aServer, type Server, withS3 } from './a-server.js';
import { aLiar } from './fake-liar.js';
import { aWire } from './fake-wire.js';

async function* pieces(...all: readonly (string | Buffer)[]): AsyncIterable<Uint8Array> {
  for (const one of all) yield Buffer.from(one);
}

withS3('failures of S3', () => {
  let server: Server;
  const open = (more: object = {}) => createS3Store({ ...server.settings, ...more }, server.folder);
  const isOf = (code: string, kind: string) => ({ first: { code, class: kind } });
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  it('given a missing bucket, then every operation fails with class config', async () => {
    const missing = isOf('STORE_BUCKET_MISSING', 'config');
    const store = open({ bucket: 'no-such-bucket' });
    await expect(store.put(pieces('x'))).rejects.toMatchObject(missing);
    await expect(store.has(sha256('x'))).rejects.toMatchObject(missing);
    await expect(store.get(sha256('x'))).rejects.toMatchObject(missing);
    await expect(store.create('x', {})).rejects.toMatchObject(missing);
    await expect(store.read('x')).rejects.toMatchObject(missing);
    await expect(store.list('x/')).rejects.toMatchObject(missing);
  });

  it.each([
    { accessKeyId: 'somebody', secretAccessKey: 'wrong' },
    { accessKeyId: 'nobody', secretAccessKey: 'wrong' },
  ])('given refused credentials of $accessKeyId, then the problem is STORE_DENIED at once', async (credentials) => {
    const denied = isOf('STORE_DENIED', 'denied');
    await expect(open({ credentials }).put(pieces('x'))).rejects.toMatchObject(denied);
    await expect(open({ credentials }).read('x')).rejects.toMatchObject(denied);
  });

  it('given a server that is down, then it is retried for a while and then reported as infra', async () => {
    const store = open({ endpoint: 'http://127.0.0.1:9', patienceMs: 300 });
    await expect(store.create('x', {})).rejects.toMatchObject(isOf('STORE_UNREACHABLE', 'infra'));
  });

  it('given a server that comes back in time, then the operation succeeds', async () => {
    const store = open();
    await server.stop();
    const [put, create] = [store.put(pieces('while it was away')), store.create('away', { by: 'us' })];
    await server.start();
    expect(await put).toEqual({ digest: sha256('while it was away'), size: 17 });
    expect(await create).toEqual({ created: true, value: { by: 'us' } });
  });

  it.each([
    ['a part', { partsAboveBytes: 1 }],
    ['a long request', {}],
  ])('given a connection cut while sending %s, then it is sent again', async (_what, more) => {
    const wire = await aWire(server.settings.endpoint!, { afterBytes: 3_000_000, direction: 'up', times: 2 });
    const path = join(server.folder, 'out', 'parts');
    writeFileSync(path, randomBytes(30_000_000));
    const { digest, size } = await open({ endpoint: wire.endpoint, ...more }).putFile(path);
    expect([wire.cuts(), size, await open().has(digest)]).toEqual([2, 30_000_000, true]);
    wire.close();
  });

  it('given a connection cut while reading, then reading continues at that byte', async () => {
    const { digest } = await open().put(pieces(randomBytes(12_000_000)));
    const wire = await aWire(server.settings.endpoint!, { afterBytes: 2_000_000, direction: 'down', times: 3 });
    let size = 0;
    for await (const piece of await open({ endpoint: wire.endpoint }).get(digest)) size += piece.length;
    expect([wire.cuts(), size]).toEqual([3, 12_000_000]);
    wire.close();
  });

  it('given a connection cut while fetching a long file, then the file is whole', async () => {
    const long = randomBytes(40_000_000);
    const { digest } = await open().put(pieces(long));
    const wire = await aWire(server.settings.endpoint!, { afterBytes: 9_000_000, direction: 'down', times: 3 });
    const path = join(server.folder, 'out', 'fetched');
    await open({ endpoint: wire.endpoint }).fetch(digest, path);
    expect([wire.cuts(), readFileSync(path).equals(long)]).toEqual([3, true]);
    wire.close();
  });

  it.each([1_000, 40_000_000])('given an altered object of %d bytes, then it is not returned', async (size) => {
    const { digest } = await open().put(pieces(randomBytes(size)));
    const hex = digest.slice('sha256:'.length);
    const object = join(server.folder, 'data', 'slipway', 'cas', 'sha256', hex.slice(0, 2), hex);
    const [first] = readFileSync(object);
    writeFileSync(object, Buffer.from([first! ^ 1]), { flag: 'r+' });
    const path = join(server.folder, 'out', 'altered');
    await expect(open().fetch(digest, path)).rejects.toMatchObject(isOf('STORE_ALTERED', 'infra'));
    expect(readdirSync(join(server.folder, 'out')).filter((name) => name.startsWith('altered'))).toEqual([]);
  });

  it('given a lost answer, then our own record is recognised as ours', async () => {
    const wire = await aWire(server.settings.endpoint!, { afterBytes: 1, direction: 'down', times: 1 });
    expect(await open({ endpoint: wire.endpoint }).create('lost/answer', { by: 'us' })).toMatchObject({
      created: true,
    });
    expect(wire.cuts()).toBe(1);
    wire.close();
  });

  it('given 200 without a stored object, then it is an error; given 409, then the request is repeated', async () => {
    const lost = await aLiar(server.settings.endpoint!, { status: 200, code: '', times: 1 });
    const believing = open({ endpoint: lost.endpoint });
    await expect(believing.put(pieces('believe me'))).rejects.toMatchObject(isOf('STORE_NOT_KEPT', 'infra'));
    expect(await believing.put(pieces('believe me'))).toMatchObject({ size: 10 });
    lost.close();
    const busy = await aLiar(server.settings.endpoint!, { status: 409, code: 'ConditionalRequestConflict', times: 3 });
    expect(await open({ endpoint: busy.endpoint }).create('busy', {})).toMatchObject({ created: true });
    expect(busy.lies()).toBe(3);
    busy.close();
  });

  it.each([
    ['other bytes of the same length', (text: string) => text.toUpperCase()],
    ['a part of the bytes', (text: string) => text.slice(0, 4)],
  ])('given 200 for %s, then it is an error, and the wrong object is removed', async (what, change) => {
    const text = `stored as ${what}`;
    const instead = (path: string): void => {
      const file = join(server.folder, 'data', decodeURIComponent(path));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, change(text));
    };
    const liar = await aLiar(server.settings.endpoint!, { status: 200, code: '', times: 1, instead });
    const store = open({ endpoint: liar.endpoint });
    await expect(store.put(pieces(text))).rejects.toMatchObject(isOf('STORE_NOT_KEPT', 'infra'));
    expect(await store.has(sha256(text))).toBe(false);
    expect(await store.put(pieces(text))).toMatchObject({ size: text.length });
    liar.close();
  });

  it('given a copy reported but not made, then it is an error; a failure after 200 is retried', async () => {
    const { digest } = await open().put(pieces('a file with a name'));
    await open().layout('skiff').place('warm/up/file', digest); // its records are there
    const place = (endpoint: string, path: string) => open({ endpoint }).layout('skiff').place(path, digest);
    // Of each place the first PUT is that of the record.
    const lost = await aLiar(server.settings.endpoint!, { status: 200, code: '', times: 1 });
    await expect(place(lost.endpoint, 'm/c/file')).rejects.toMatchObject({ first: { class: 'infra' } });
    expect(await place(lost.endpoint, 'm/c/file')).toEqual({ digest, size: 18 });
    lost.close();
    const broken = await aLiar(server.settings.endpoint!, { status: 200, code: 'InternalError', times: 2 });
    expect(await place(broken.endpoint, 'm/c/other')).toEqual({ digest, size: 18 });
    expect(broken.lies()).toBe(2);
    broken.close();
  });

  it('given bytes altered on the way, then the server refuses them', async () => {
    const wire = await aWire(server.settings.endpoint!, {
      afterBytes: 5_000_000,
      direction: 'up',
      times: 2,
      alter: true,
    });
    const path = join(server.folder, 'out', 'changed');
    writeFileSync(path, randomBytes(12_000_000));
    const { digest } = await open({ endpoint: wire.endpoint }).putFile(path);
    expect(wire.cuts()).toBe(2);
    let size = 0;
    for await (const piece of await open().get(digest)) size += piece.length;
    expect(size).toBe(12_000_000);
    wire.close();
  });

  it('given a server that accepts connections and never answers, then it counts as down', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const endpoint = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const store = open({ endpoint, silenceMs: 100, patienceMs: 300 });
    await expect(store.read('x')).rejects.toMatchObject(isOf('STORE_UNREACHABLE', 'infra'));
    mute.close();
  });

  it('given an outage, then the reason is available while it lasts', async () => {
    const store = open();
    await server.stop();
    const reading = store.read('anything');
    const told = new Set<string>();
    while (store.waitsFor() === null) await new Promise((again) => setTimeout(again, 20));
    told.add(store.waitsFor()!);
    await server.start();
    await reading;
    expect([...told, store.waitsFor()]).toEqual([`the S3 store at ${server.settings.endpoint} does not answer`, null]);
  });

  it.each([
    ['parts', { partsAboveBytes: 1 }],
    ['one request', {}],
  ])('given a file that changes while it is read in %s, then it is not stored', async (_how, more) => {
    const path = join(server.folder, 'out', 'growing');
    writeFileSync(path, randomBytes(40_000_000));
    const putting = open(more).putFile(path);
    const growing = setInterval(() => writeFileSync(path, randomBytes(1000), { flag: 'r+' }), 1);
    await expect(putting.finally(() => clearInterval(growing))).rejects.toMatchObject(isOf('FILE_CHANGED', 'infra'));
  });
});
