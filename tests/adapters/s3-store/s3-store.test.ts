/** @long @needs s3 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogReader } from '../../../src/adapters/logs/reader.js';
import { createLogWriter } from '../../../src/adapters/logs/writer.js';
import { createS3Store } from '../../../src/adapters/s3-store/index.js';
import { sha256 } from '../../support/run-body.js';
import { layoutBehaviour, put } from '../store/layout-behaviour.js';
import { aServer, type Server, withS3 } from './a-server.js';

async function* pieces(...all: readonly (string | Buffer)[]): AsyncIterable<Uint8Array> {
  for (const one of all) yield Buffer.from(one);
}
async function bytesOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of bytes) all.push(piece);
  return Buffer.concat(all);
}

withS3('the store on S3', () => {
  let server: Server;
  const open = (more: object = {}) => createS3Store({ ...server.settings, ...more }, server.folder);
  const fileOf = (digest: string): string => {
    const hex = digest.slice('sha256:'.length);
    return join(server.folder, 'data', 'slipway', 'cas', 'sha256', hex.slice(0, 2), hex);
  };
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  it('given bytes in pieces, then they are returned by digest', async () => {
    const store = open();
    const stored = await store.put(pieces('he', 'l', 'lo'));
    expect(stored).toEqual({ digest: sha256('hello'), size: 5 });
    expect(await store.put(pieces('hello'))).toEqual(stored);
    expect((await bytesOf(await store.get(stored.digest))).toString()).toBe('hello');
    const out = join(server.folder, 'out', 'deep', 'hello.txt');
    await store.fetch(stored.digest, out);
    expect(await readFile(out, 'utf8')).toBe('hello');
    expect(await store.putFile(out)).toEqual(stored);
    expect([await store.has(stored.digest), await store.has(sha256('other'))]).toEqual([true, false]);
  });

  it('given an empty stream, then it is stored', async () => {
    const { digest } = await open().put(pieces());
    expect(await bytesOf(await open().get(digest))).toHaveLength(0);
  });

  it.each([
    ['one request', {}],
    ['parts', { partsAboveBytes: 1 }],
  ])(
    'given a long file in %s, or a long stream, then it is stored whole, and nothing is left behind',
    async (_how, more) => {
      const store = open(more);
      const long = randomBytes(21_000_000);
      const path = join(server.folder, 'out', 'long');
      writeFileSync(path, long);
      const stored = await store.putFile(path);
      expect((await bytesOf(await store.get(stored.digest))).equals(long)).toBe(true);
      const longer = Buffer.concat([long, long]);
      const streamed = await store.put(pieces(long, long));
      expect((await bytesOf(await store.get(streamed.digest))).equals(longer)).toBe(true);
      expect(readdirSync(join(server.folder, 'tmp'))).toEqual([]);
    },
  );

  it('given altered bytes, then they are quarantined and never returned, and the right ones are accepted again', async () => {
    const store = open();
    const { digest } = await store.put(pieces('bytes to alter'));
    const altered = { first: { code: 'STORE_ALTERED', class: 'infra' } };
    const out = join(server.folder, 'out', 'altered');
    const meetings: readonly (() => Promise<void>)[] = [
      () => expect(store.get(digest).then(bytesOf)).rejects.toMatchObject(altered),
      () => expect(store.fetch(digest, out)).rejects.toMatchObject(altered),
      () => expect(store.sound(digest)).resolves.toBe(false),
    ];
    for (const meet of meetings) {
      writeFileSync(fileOf(digest), 'bytes so alter');
      await meet();
      await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await store.has(digest)).toBe(false);
      await store.put(pieces('bytes to alter'));
      expect([await store.sound(digest), String(await bytesOf(await store.get(digest)))]).toEqual([
        true,
        'bytes to alter',
      ]);
    }
    writeFileSync(fileOf(digest), 'shorter');
    await store.put(pieces('bytes to alter'));
    expect(String(await bytesOf(await store.get(digest)))).toBe('bytes to alter');
    const aside = join(server.folder, 'data', 'slipway', 'quarantine');
    const kept = readdirSync(aside).filter((name) => name.startsWith(digest.slice(7)));
    expect(kept.map((name) => readFileSync(join(aside, name), 'utf8')).sort()).toEqual(
      ['bytes so alter', 'bytes so alter', 'bytes so alter', 'shorter'].sort(),
    );
  });

  it('given a missing object, then the error names its digest', async () => {
    await expect(open().get(sha256('nothing'))).rejects.toMatchObject({ first: { code: 'STORE_MISSING' } });
    await expect(open().get('sha256:../../etc/passwd')).rejects.toMatchObject({ first: { code: 'STORE_MISSING' } });
  });

  it('given records of any name, then they are kept apart and listed as written', async () => {
    const store = open({ prefix: 'somewhere/else/' });
    const all = ['a', 'a.json', 'a.json/b', 'a/b', 'group:artifact@1.0+local', 'ü /%2F', '..x/y'].map((n) => `x/${n}`);
    for (const name of all) expect(await store.create(name, { name })).toEqual({ created: true, value: { name } });
    expect(await store.create(all[0]!, { name: 'late' })).toEqual({ created: false, value: { name: all[0] } });
    expect(await store.list('x/')).toEqual([...all].sort());
    for (const name of all) expect(await store.read(name)).toEqual({ name });
    expect([await store.read('x/none'), await store.list('nothing/')]).toEqual([null, []]);
    await expect(store.create('../x', {})).rejects.toMatchObject({ first: { code: 'RECORD_NAME_REFUSED' } });
  });

  it('given more records than one answer holds, then all are listed', async () => {
    const store = open();
    const all = Array.from({ length: 1_005 }, (_, at) => `many/${String(at).padStart(5, '0')}`);
    for (let at = 0; at < all.length; at += 40)
      await Promise.all(all.slice(at, at + 40).map((name) => store.create(name, { name })));
    expect(await store.list('many/')).toEqual(all);
  });

  it('given a damaged record, then it is reported', async () => {
    await open().create('damaged/one', { fine: true });
    const file = join(server.folder, 'data', 'slipway', 'records', 'damaged', 'one.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('true', 'null'));
    await expect(open().read('damaged/one')).rejects.toMatchObject({ first: { code: 'RECORD_DAMAGED' } });
    await open().setAside('damaged/one', { fine: true });
    await expect(open().read('damaged/one')).rejects.toMatchObject({ first: { code: 'RECORD_DAMAGED' } });
    await open().setAside('damaged/one');
    expect(await open().create('damaged/one', { fine: 1 })).toEqual({ created: true, value: { fine: 1 } });
  });

  it('given a log, then it is stored and followed', async () => {
    const store = open();
    const log = createLogWriter(store, 'logs/one');
    for (let line = 1; line <= 5_000; line += 1) log.write(`line ${line} of a log that is written in chunks\n`);
    await log.close();
    let text = '';
    for await (const { text: chunk } of createLogReader(store).pieces('logs/one', { follow: true })) text += chunk;
    expect(text.trimEnd().split('\n')).toHaveLength(5_000);
    expect((await store.list('logs/one/')).length).toBeGreaterThan(1);
  });

  it('given a pointer, then it moves only if the rule allows it', async () => {
    const { pointers } = open();
    const move = (version: number) => pointers.move('main/latest', { version }, (now) => version > now.version);
    expect(await pointers.read('main/latest')).toBeNull();
    expect(await move(2)).toEqual({ moved: true, value: { version: 2 } });
    expect(await move(1)).toEqual({ moved: false, value: { version: 2 } });
    expect(await move(3)).toEqual({ moved: true, value: { version: 3 } });
    expect(await pointers.read('main/latest')).toEqual({ version: 3 });
  });

  const layoutFile = (path: string): string => join(server.folder, 'data', 'slipway', 'layout', 'skiff', path);
  describe('its layout', () => {
    layoutBehaviour(async () => ({ store: open(), readReal: (path) => readFile(layoutFile(path), 'utf8') }));

    it('given an object replaced by hand, then the answer names its actual digest', async () => {
      const digest = await put(open(), 'ours');
      await open().layout('skiff').place('b/c/file', digest);
      writeFileSync(layoutFile('b/c/new'), 'theirs');
      renameSync(layoutFile('b/c/new'), layoutFile('b/c/file'));
      expect(await open().layout('skiff').place('b/c/file', digest)).toEqual({ digest: sha256('theirs'), size: 6 });
    });

    it('given an object uploaded in parts, then it is copied with our SHA-256', async () => {
      const path = join(server.folder, 'out', 'in-parts');
      writeFileSync(path, randomBytes(20_000_000));
      const store = open({ partsAboveBytes: 1 });
      const { digest } = await store.putFile(path);
      await store.layout('skiff').place('b/c/in-parts', digest);
      expect(readFileSync(layoutFile('b/c/in-parts')).equals(readFileSync(path))).toBe(true);
      expect(await store.layout('skiff').find('b/c/in-parts')).toEqual({ digest, size: 20_000_000 });
    });
  });
});
