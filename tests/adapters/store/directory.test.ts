/** @slow */
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fc } from '../../support/fixed-seed.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { sweepTemporary } from '../../../src/adapters/store/temporary.js';
import { newHome, sha256 } from '../../support/run-body.js';

async function* pieces(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of bytes) all.push(piece);
  return Buffer.concat(all).toString();
}
const newStore = async () => {
  const folder = await newHome();
  return { folder, store: createDirectoryStore(folder) };
};
const objectPath = (folder: string, digest: string): string => {
  const hex = digest.slice('sha256:'.length);
  return join(folder, 'cas', 'sha256', hex.slice(0, 2), hex);
};

test('given concurrent fetches of the same bytes to one path, then each gets them', async () => {
  const { store, folder } = await newStore();
  const { digest } = await store.put(pieces('x'.repeat(3_000_000)));
  const path = join(folder, 'out', 'file');
  await Promise.all([1, 2, 3].map(() => store.fetch(digest, path)));
  expect((await readFile(path)).length).toBe(3_000_000);
});

test('given bytes in pieces, then they are returned by digest', async () => {
  const { store, folder } = await newStore();
  const stored = await store.put(pieces('he', 'l', 'lo'));
  expect(stored).toEqual({ digest: sha256('hello'), size: 5 });
  expect(await store.put(pieces('hello'))).toEqual(stored);
  expect(await text(await store.get(stored.digest))).toBe('hello');
  await store.fetch(stored.digest, join(folder, 'out', 'deep', 'hello.txt'));
  expect(await readFile(join(folder, 'out', 'deep', 'hello.txt'), 'utf8')).toBe('hello');
  expect(await store.putFile(join(folder, 'out', 'deep', 'hello.txt'))).toEqual(stored);
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

describe('an object whose bytes were changed', () => {
  const changed = async () => {
    const { store, folder } = await newStore();
    const { digest } = await store.put(pieces('hello'));
    await chmod(objectPath(folder, digest), 0o644);
    await writeFile(objectPath(folder, digest), 'jello');
    return { store, folder, digest, quarantine: join(folder, 'quarantine') };
  };
  const inQuarantine = async (folder: string): Promise<readonly string[]> =>
    Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  const altered = { first: { code: 'STORE_ALTERED', class: 'infra' } };

  test.each(['get', 'fetch', 'sound', 'put'] as const)(
    'when it is read by %s, then it is quarantined and can be written again',
    async (how) => {
      const { store, folder, digest, quarantine } = await changed();
      const out = join(folder, 'out.txt');
      if (how === 'get') await expect(store.get(digest).then(text)).rejects.toMatchObject(altered);
      if (how === 'fetch') await expect(store.fetch(digest, out)).rejects.toMatchObject(altered);
      if (how === 'sound') expect(await store.sound(digest)).toBe(false);
      await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
      if (how !== 'put') expect([await store.has(digest), await store.sound(digest)]).toEqual([false, false]);

      await store.put(pieces('hello'));
      expect([await text(await store.get(digest)), await store.sound(digest)]).toEqual(['hello', true]);
      expect(await inQuarantine(quarantine)).toEqual(['jello']);
      expect((await readdir(quarantine))[0]).toMatch(new RegExp(`^${digest.slice(7)}-\\d{4}-\\d\\d-\\d\\dT`));
    },
  );

  test('when it is large and fetched, then the alteration is reported', async () => {
    const { store, folder } = await newStore();
    const { digest } = await store.put(pieces('x'.repeat(300_000)));
    await chmod(objectPath(folder, digest), 0o644);
    await writeFile(objectPath(folder, digest), 'y'.repeat(300_000));
    await expect(store.fetch(digest, join(folder, 'out', 'file'))).rejects.toMatchObject(altered);
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  });

  test('when it is fetched, then the error names the quarantine file', async () => {
    const { store, folder, digest, quarantine } = await changed();
    const failure = (await store.fetch(digest, join(folder, 'out')).catch((error: unknown) => error)) as SlipwayFailure;
    expect(failure.first.next).toContain(join(quarantine, (await readdir(quarantine))[0]!));
  });

  test('when ten read it at once, then it is quarantined once, and its replacement never', async () => {
    const { store, folder, digest, quarantine } = await changed();
    const meet = async (): Promise<void> =>
      void (await store
        .get(digest)
        .then(text)
        .catch(() => null));
    const all = Array.from({ length: 10 }, (_, at) => (at % 3 === 0 ? store.put(pieces('hello')) : meet()));
    await Promise.all(all);
    expect([await store.sound(digest), await inQuarantine(quarantine)]).toEqual([true, ['jello']]);
    expect(await readFile(objectPath(folder, digest), 'utf8')).toBe('hello');
  });
});

test('given records of about 64 KiB, then each is read whole', async () => {
  const { store } = await newStore();
  const lengths = Array.from({ length: 12 }, (_, at) => 65_536 - 8 + at);
  const values = lengths.flatMap((length) => ['x'.repeat(length), `${'x'.repeat(length - 8)}é𝅘𝅥`]);
  for (const [at, value] of values.entries()) await store.create(`records/${at}`, value);
  for (const [at, value] of values.entries()) expect(await store.read(`records/${at}`)).toBe(value);
});

test('given a record that changed since it was read, then it is not quarantined', async () => {
  const { store, folder } = await newStore();
  const path = join(folder, 'records', 'known', 'one.json');
  await store.create('known/one', { a: 1 });
  await store.setAside('known/one', { a: 2 });
  await store.setAside('known/one');
  expect(await store.read('known/one')).toEqual({ a: 1 });
  await chmod(path, 0o644);
  for (const damage of ['{"a":', 'null']) {
    await writeFile(path, damage);
    await expect(store.read('known/one')).rejects.toMatchObject({ first: { code: 'RECORD_DAMAGED' } });
    await store.setAside('known/one');
    expect(await store.create('known/one', { a: 3 })).toEqual({ created: true, value: { a: 3 } });
  }
  await store.setAside('known/one', { a: 3 });
  await store.setAside('known/none');
  expect([await store.read('known/one'), await store.list('known/')]).toEqual([null, []]);
  const kept = await readdir(join(folder, 'quarantine', 'records', 'known'));
  expect(kept.filter((name) => name.startsWith('one.json-'))).toHaveLength(3);
});

test('given a record that replaced the one read, then it is not moved, so that none is created meanwhile', async () => {
  const { store, folder } = await newStore();
  const path = join(folder, 'records', 'known', 'one.json');
  await store.create('known/one', { a: 1 });
  const { ctimeNs } = await stat(path, { bigint: true });
  await store.setAside('known/one', { a: 'of a stranger' });
  await store.setAside('known/one');
  // A file that is moved away and linked back has another time of change.
  expect((await stat(path, { bigint: true })).ctimeNs).toBe(ctimeNs);
});

test('given a record that is a dangling link, then it is refused with its path', async () => {
  const { store, folder } = await newStore();
  await mkdir(join(folder, 'records', 'known'), { recursive: true });
  await symlink('nowhere', join(folder, 'records', 'known', 'one.json'));
  await expect(store.create('known/one', { a: 1 })).rejects.toMatchObject({ first: { code: 'RECORD_DAMAGED' } });
});

test('given a missing object, then the error names its digest', async () => {
  const { store } = await newStore();
  expect(await store.has(sha256('nothing'))).toBe(false);
  await expect(store.get(sha256('nothing'))).rejects.toMatchObject({ first: { code: 'STORE_MISSING' } });
  await expect(store.get('sha256:../../../etc/passwd')).rejects.toMatchObject({ first: { code: 'STORE_MISSING' } });
});

test('given twenty writers of one record, then one creates it, and all read its value', async () => {
  const { folder } = await newStore();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, by) => createDirectoryStore(folder).create('runs/r/result', { by })),
  );
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  const winner = answers.find(({ created }) => created)!.value;
  expect(answers.map(({ value }) => value)).toEqual(Array(20).fill(winner));
});

test('given a stream that fails, then nothing is left behind', async () => {
  const { store, folder } = await newStore();
  const broken = (async function* () {
    yield Buffer.from('half');
    throw new Error('cut');
  })();
  await expect(store.put(broken)).rejects.toThrow('cut');
  expect(await store.has(sha256('half'))).toBe(false);
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});

test.each([
  '',
  '/',
  '/etc/passwd',
  'a/../b',
  '..',
  './a',
  'a//b',
  'a/',
  '\ud800',
  'x'.repeat(201),
  '\u{1d160}'.repeat(17),
])('given the record name %j, then it is refused', async (name) => {
  const { store } = await newStore();
  await expect(store.create(name, {})).rejects.toMatchObject({ first: { code: 'RECORD_NAME_REFUSED' } });
  await expect(store.read(name)).rejects.toMatchObject({ first: { code: 'RECORD_NAME_REFUSED' } });
});

/** A grapheme may be several code points, each up to 12 bytes once written: 12 of them can pass the limit of a part. */
const part = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((p) => !/[/]|^\.{1,2}$/.test(p) && encodeURIComponent(p).length <= 200);
const names = fc.uniqueArray(
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `all/${parts.join('/')}`),
  {
    maxLength: 8,
  },
);

test('given any allowed names, then records are kept apart and listed as written', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const { store, folder } = await newStore();
      for (const name of all) await store.create(name, { name });
      expect(await store.list('all/')).toEqual([...all].sort());
      for (const name of all) expect(await store.read(name)).toEqual({ name });
      await rm(folder, { recursive: true });
    }),
    { numRuns: 30 },
  );
});

test.each(['x'.repeat(200), '\u{1d160}'.repeat(16)])(
  'given a name part of 200 bytes, then it is stored: %s',
  async (name) => {
    const { store } = await newStore();
    await store.create(`x/${name}`, { name });
    expect([await store.list('x/'), await store.read(`x/${name}`)]).toEqual([[`x/${name}`], { name }]);
  },
);

test('given a name that is a record and a folder of records, then both work', async () => {
  const { store } = await newStore();
  const all = ['a', 'a.json', 'a.json/b', 'a/b', 'group:artifact@1.0+local'];
  for (const name of all) await store.create(`x/${name}`, { name });
  expect(await store.list('x/')).toEqual(all.map((name) => `x/${name}`).sort());
  expect(await store.list('nothing/')).toEqual([]);
});

test('when temporary files are swept, then those of dead writers are removed, and live ones stay', async () => {
  const { store, folder } = await newStore();
  await store.put(pieces('x'));
  const living = `${process.pid}-being-written`;
  for (const name of ['999999999-left', living]) await writeFile(join(folder, 'tmp', name), 'half');
  expect(await sweepTemporary(folder)).toBe(1);
  expect(await readdir(join(folder, 'tmp'))).toEqual([living]);
});

describe('second names of records', () => {
  test('given an existing record, then its second name has the same value; existing names stay; missing records get none', async () => {
    const { store } = await newStore();
    await store.create('known/one', { no: 1 });
    await store.create('runs/a/two', { no: 2 });
    const names = ['runs/a/one', 'runs/a/two'].map((as) => ({ of: 'known/one', as }));
    expect(await store.again!([...names, { of: 'known/gone', as: 'runs/b/gone' }])).toEqual([
      { no: 1 },
      { no: 2 },
      null,
    ]);
    expect(await store.read('runs/a/one')).toEqual({ no: 1 });
    expect(await store.list('runs/')).toEqual(['runs/a/one', 'runs/a/two']);
  });

  test('when one name is quarantined, then the other stays', async () => {
    const { store } = await newStore();
    await store.create('known/one', { no: 1 });
    await store.again!([{ of: 'known/one', as: 'runs/a/one' }]);
    await store.setAside('known/one', { no: 1 });
    expect([await store.read('known/one'), await store.read('runs/a/one')]).toEqual([null, { no: 1 }]);
  });
});

test('given thousands of concurrent reads, then other tasks still run', async () => {
  const { store } = await newStore();
  await store.create('big', { text: 'x'.repeat(500_000) });
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  await Promise.all(Array.from({ length: 200 }, () => store.read('big')));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(1);
});
