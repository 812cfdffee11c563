import { join } from 'node:path';
import fc from 'fast-check';
import { createLogReader } from '../../../src/adapters/logs/reader.js';
import { createRedactor } from '../../../src/adapters/logs/redactor.js';
import { createTail } from '../../../src/adapters/logs/tail.js';
import { createLogWriter } from '../../../src/adapters/logs/writer.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { newHome } from '../../support/run-body.js';

const PREFIX = 'runs/r/logs/wheels/skiff/001';

const newStore = async () => createDirectoryStore(await newHome());
type AStore = Awaited<ReturnType<typeof newStore>>;

async function readAll(store: AStore, follow = false, signal?: AbortSignal): Promise<string> {
  let text = '';
  for await (const piece of createLogReader(store).read(PREFIX, { follow, signal })) text += piece;
  return text;
}

test('a log is read while it is written, and ends with its writer', async () => {
  const store = await newStore();
  const writer = createLogWriter(store, PREFIX);
  const followed = readAll(store, true);
  writer.write('one\n');
  writer.write('two\n');
  expect(writer.tail(1)).toEqual(['two']);
  await writer.close();
  expect(await followed).toBe('one\ntwo\n');
  expect(await readAll(store)).toBe('one\ntwo\n');
});

test('a follower is let go by its signal when the writer died', async () => {
  const store = await newStore();
  createLogWriter(store, PREFIX).write('before the crash\n');
  const abort = new AbortController();
  let text = '';
  for await (const piece of createLogReader(store).read(PREFIX, { follow: true, signal: abort.signal })) {
    text += piece;
    abort.abort();
  }
  expect(text).toBe('before the crash\n');
});

test('a second delivery of an attempt goes on after the first', async () => {
  const store = await newStore();
  const first = createLogWriter(store, PREFIX);
  first.write('first\n');
  await first.close();
  const second = createLogWriter(store, PREFIX);
  second.write('second\n');
  await second.close();
  expect(await readAll(store)).toBe('first\nsecond\n');
});

test('a log that its writer leaves is not ended: a follower sees who goes on', async () => {
  const store = await newStore();
  const first = createLogWriter(store, PREFIX);
  first.write('first\n');
  await first.leave();
  const followed = readAll(store, true);
  const second = createLogWriter(store, PREFIX);
  second.write('second\n');
  await second.close();
  expect(await followed).toBe('first\nsecond\n');
});

test('a flood is written whole with bounded memory, and the program waits for the store', async () => {
  const store = await newStore();
  const home = await newHome();
  const writer = createLogWriter(store, PREFIX);
  const before = process.memoryUsage().rss;
  let most = 0;
  await createPrograms({ running: join(home, 'running') }).run({
    argv: 'yes 0123456789abcde | head -c 67108864',
    cwd: home,
    env: { PATH: process.env['PATH']! },
    limitMs: 600_000,
    signal: new AbortController().signal,
    onOutput: (text) => {
      most = Math.max(most, process.memoryUsage().rss);
      writer.write(text);
      return writer.ready();
    },
  });
  await writer.close();
  let chars = 0;
  for await (const piece of createLogReader(store).read(PREFIX, { follow: false })) chars += piece.length;
  expect(chars).toBe(67_108_864);
  expect(most - before).toBeLessThan(64 * 1024 * 1024);
});

test('a store that refuses is told by ready and by close', async () => {
  const refused = new Error('disk full');
  const store = { create: () => Promise.reject(refused), list: () => Promise.resolve([]) };
  const writer = createLogWriter(store, PREFIX);
  writer.write('x'.repeat(100_000));
  await expect(writer.close()).rejects.toBe(refused);
  await expect(writer.ready()).rejects.toBe(refused);
});

test('however a text is cut, no secret and no part of it that could be told appears', () => {
  const secrets = ['hunter2-hunter2', 'hunter2-', 'öäü€', 'aaaa'];
  const word = fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 6 }), fc.constant('a'));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(20), { maxLength: 20 }), (words, cuts) => {
      const redactor = createRedactor();
      secrets.forEach((secret, index) => redactor.hide(`$S${index}`, secret));
      let rest = words.join('');
      let printed = '';
      for (const cut of cuts) {
        printed += redactor.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      printed += redactor.push(rest) + redactor.end();
      for (const secret of secrets) expect(printed).not.toContain(secret);
    }),
  );
});

test('the tail keeps the last lines, also an open one', () => {
  const tail = createTail();
  for (let line = 0; line < 1000; line += 1) tail.add(`line ${line}\n`);
  tail.add('op');
  tail.add('en');
  expect(tail.lines(3)).toEqual(['line 998', 'line 999', 'open']);
});
