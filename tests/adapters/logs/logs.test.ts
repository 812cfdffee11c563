/** @slow */
import { join } from 'node:path';
import { fc } from '../../support/fixed-seed.js';
import { createLogReader } from '../../../src/adapters/logs/reader.js';
import { createRedactor } from '../../../src/adapters/logs/redactor.js';
import { createTail } from '../../../src/adapters/logs/tail.js';
import type { Store } from '../../../src/activities/ports.js';
import { createLogWriter } from '../../../src/adapters/logs/writer.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { newHome } from '../../support/run-body.js';

const PREFIX = 'runs/r/logs/wheels/skiff/001';

const newStore = async () => createDirectoryStore(await newHome());
type AStore = Awaited<ReturnType<typeof newStore>>;

async function readAll(store: AStore, follow = false, signal?: AbortSignal): Promise<string> {
  let text = '';
  for await (const { text: piece } of createLogReader(store).pieces(PREFIX, { follow, signal })) text += piece;
  return text;
}

test('given a log that is being written, then a follower reads it to its end', async () => {
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

test('given a writer that died, then the follower ends by its signal', async () => {
  const store = await newStore();
  createLogWriter(store, PREFIX).write('before the crash\n');
  const abort = new AbortController();
  let text = '';
  for await (const { text: piece } of createLogReader(store).pieces(PREFIX, { follow: true, signal: abort.signal })) {
    text += piece;
    abort.abort();
  }
  expect(text).toBe('before the crash\n');
});

test('given a second delivery of an attempt, then its log continues after the first', async () => {
  const store = await newStore();
  const first = createLogWriter(store, PREFIX);
  first.write('first\n');
  await first.close();
  const second = createLogWriter(store, PREFIX);
  second.write('second\n');
  await second.close();
  expect(await readAll(store)).toBe('first\nsecond\n');
});

test("given a log that its writer left open, then a follower reads the next writer's part", async () => {
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

/** The most that the writer holds back: 1 MiB before it asks to wait, and what one pipe and one chunk bring on top. */
const MOST_BACKLOG = 4 * 1024 * 1024;

test('given a flood, when the store is slower than the program, then the program waits and the log is whole', async () => {
  const store = await newStore();
  let stored = 0;
  const counting: Pick<Store, 'create' | 'list'> = {
    list: (prefix) => store.list(prefix),
    create: async (name, chunk) => {
      const created = await store.create(name, chunk);
      stored += (chunk as { readonly text: string }).text.length;
      return created;
    },
  };
  const home = await newHome();
  const writer = createLogWriter(counting, PREFIX);
  let [written, most] = [0, 0];
  await createPrograms({ running: join(home, 'running') }).run({
    argv: 'yes 0123456789abcde | head -c 67108864',
    cwd: home,
    env: { PATH: process.env['PATH']! },
    limitMs: 600_000,
    signal: new AbortController().signal,
    onOutput: (text) => {
      writer.write(text);
      written += text.length;
      most = Math.max(most, written - stored);
      return writer.ready();
    },
  });
  await writer.close();
  let chars = 0;
  for await (const { text: piece } of createLogReader(store).pieces(PREFIX, { follow: false })) chars += piece.length;
  expect(chars).toBe(67_108_864);
  expect(most).toBeLessThan(MOST_BACKLOG);
  expect(most).toBeGreaterThan(0);
});

test('given a store that refuses writes, then ready and close report it', async () => {
  const refused = new Error('disk full');
  const store = { create: () => Promise.reject(refused), list: () => Promise.resolve([]) };
  const writer = createLogWriter(store, PREFIX);
  writer.write('x'.repeat(100_000));
  await expect(writer.close()).rejects.toBe(refused);
  await expect(writer.ready()).rejects.toBe(refused);
});

test('given text cut anywhere, then no secret and no recognisable part of one appears', () => {
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

test('given many lines, then the tail has the last ones, also an unfinished one', () => {
  const tail = createTail();
  for (let line = 0; line < 1000; line += 1) tail.add(`line ${line}\n`);
  tail.add('op');
  tail.add('en');
  expect(tail.lines(3)).toEqual(['line 998', 'line 999', 'open']);
});

describe('an encoded secret', () => {
  const secret = fc.string({ minLength: 8, maxLength: 40, unit: 'binary' }).filter((text) => text.trim().length >= 8);
  const around = fc.string({ maxLength: 10, unit: 'grapheme' });
  const cutAt = fc.array(fc.nat(30), { maxLength: 12 });
  const printed = (value: string, text: string, cuts: readonly number[]): string => {
    const redactor = createRedactor();
    redactor.hide('$S', value);
    let rest = text;
    let out = '';
    for (const cut of cuts) {
      out += redactor.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    return out + redactor.push(rest) + redactor.end();
  };
  /** Whatever stands in base64 somewhere in a text, from whichever character on. */
  const decoded = (text: string): readonly string[] =>
    (text.match(/[A-Za-z0-9+/_-]{4,}/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')),
    );
  const bytes = (text: string): string => Buffer.from(text).toString('latin1');

  test.each(['base64', 'base64url'] as const)(
    'given %s, with or without padding, alone or inside a text, cut anywhere, then it is hidden',
    (how) => {
      fc.assert(
        fc.property(secret, around, around, fc.boolean(), cutAt, (value, before, after, pads, cuts) => {
          const encoded = Buffer.from(before + value + after).toString(how);
          const out = printed(value, `Authorization: Basic ${pads ? encoded : encoded.replace(/=+$/, '')}\n`, cuts);
          expect(decoded(out).filter((text) => text.includes(bytes(value)))).toEqual([]);
          // Nor most of it: what is left shares a character with its neighbours.
          expect(decoded(out).filter((text) => text.includes(bytes(value).slice(1, -1)))).toEqual([]);
        }),
      );
    },
  );

  test('given URL or JSON escapes, then it is hidden', () => {
    const escapes: readonly ((text: string) => string)[] = [
      encodeURIComponent,
      (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
      (text) => encodeURIComponent(text).replaceAll('%20', '+'),
      (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
      (text) =>
        new URLSearchParams({ text }).toString().slice('text='.length).replaceAll('*', '%2A').replaceAll('%7E', '~'),
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => Buffer.from(text).toString('hex'),
    ];
    const ascii = fc.string({ minLength: 8, maxLength: 30 }).filter((text) => text.trim() === text);
    fc.assert(
      fc.property(ascii, fc.constantFrom(...escapes), around, cutAt, (value, escape, before, cuts) => {
        expect(printed(value, `${before}>${escape(value)}<`, cuts)).not.toContain(`>${escape(value)}<`);
      }),
    );
  });

  test('given a key of many lines, then each line is hidden', () => {
    const lines = [
      '-----BEGIN KEY-----',
      'bGlrZSBhIGxpbmUgb2YgYSBrZXk',
      'YW5vdGhlciBsaW5lIG9mIGEga2V5',
      '-----END KEY-----',
    ];
    const out = printed(lines.join('\n'), lines.map((line) => `| ${line} |\n`).join(''), [7, 30, 30]);
    expect(out).toBe('| -----BEGIN KEY----- |\n| $S |\n| $S |\n| -----END KEY----- |\n');
  });

  test('given a flood and long secrets, then hiding them is fast', () => {
    const redactor = createRedactor();
    redactor.hide('$KEY', Array.from({ length: 50 }, (_, at) => `${at}`.padStart(64, 'key')).join('\n'));
    redactor.hide('$PASSWORD', 'hunter2-hunter2');
    const piece = 'compiling some file of many, k\n'.repeat(2_000);
    const before = process.cpuUsage().user;
    let chars = 0;
    for (let at = 0; at < 50; at += 1) chars += redactor.push(piece).length;
    expect(chars + redactor.end().length).toBe(50 * piece.length);
    expect(process.cpuUsage().user - before).toBeLessThan(5_000_000);
  });
});
