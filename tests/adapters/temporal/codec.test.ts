import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { fc } from '../../support/fixed-seed.js';
import { codecPort } from '../../../src/adapters/temporal/codec/index.js';
import { createCodec } from '../../../src/adapters/temporal/codec/codec.js';
import { payloadCodecs } from '../../../src/adapters/temporal/codec/data-converter.js';
import { newKeyLine, readKeys, type Key } from '../../../src/adapters/temporal/codec/keys.js';
import { bytesOf, payloadOf } from '../../../src/adapters/temporal/codec/payload-bytes.js';
import { serveCodec } from '../../../src/adapters/temporal/codec/server.js';
import { ask } from '../../../src/services/ask.js';
import { newHome } from '../../support/run-body.js';

const fileOf = async (text: string): Promise<string> => {
  const path = join(await newHome(), 'codec.keys');
  writeFileSync(path, text);
  return path;
};
const keysOf = async (text: string): Promise<readonly Key[]> =>
  readKeys({ SLIPWAY_CODEC_KEYS: `file:${await fileOf(text)}` });
const aKey = async (id: string): Promise<Key> => (await keysOf(newKeyLine(id)))[0]!;
const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (one: Payload): unknown => defaultPayloadConverter.fromPayload(one);
const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('latin1');

test('given any payload, then it is decrypted unchanged, and no plain text shows in between', async () => {
  const codec = createCodec([await aKey('k1')]);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.uint8Array({ maxLength: 100 }), async (value, more) => {
      const before = [payload(value), { metadata: { encoding: Buffer.from('binary/plain'), x: more }, data: more }];
      const between = await codec.encode(before);
      expect(between.map(({ metadata }) => textOf(metadata?.['encoding']))).toEqual(Array(2).fill('binary/encrypted'));
      const after = await codec.decode(between);
      expect(after.map((one) => textOf(bytesOf(one)))).toEqual(before.map((one) => textOf(bytesOf(one))));
    }),
  );
  const [hidden] = await codec.encode([payload({ name: 'skiff-1.0-cp311.whl' })]);
  expect(textOf(hidden!.data)).not.toContain('skiff');
  const [again] = await codec.encode([payload({ name: 'skiff-1.0-cp311.whl' })]);
  expect(textOf(again!.data)).not.toBe(textOf(hidden!.data));
});

test('given a payload, then its bytes are the protobuf encoding of temporal.api.common.v1.Payload', () => {
  const one = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"a"') };
  const hex = '0a160a08656e636f64696e67120a6a736f6e2f706c61696e1203226122';
  expect(Buffer.from(bytesOf(one)).toString('hex')).toBe(hex);
  // A field that a later server adds is passed over.
  const back = payloadOf(Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from('1a0161', 'hex')]));
  expect([textOf(back.metadata?.['encoding']), textOf(back.data)]).toEqual(['json/plain', '"a"']);
});

test('given several keys, then the newest encrypts, and older ones still decrypt', async () => {
  const [older, newer] = [await aKey('2026-10'), await aKey('2026-11')];
  const [before] = await createCodec([older]).encode([payload('then')]);
  const rotated = createCodec([newer, older]);
  expect((await rotated.decode([before!])).map(valueOf)).toEqual(['then']);
  const [after] = await rotated.encode([payload('now')]);
  expect(textOf(after!.metadata?.['encryption-key-id'])).toBe('2026-11');
});

test('given a missing key, then it is named with what to set; plain payloads are read as they are', async () => {
  const [hidden] = await createCodec([await aKey('2026-11')]).encode([payload('x')]);
  const without = createCodec([]);
  await expect(without.decode([hidden!])).rejects.toMatchObject({
    problems: [
      {
        code: 'CODEC_KEY_MISSING',
        message: expect.stringContaining('"2026-11"'),
        next: expect.stringContaining('SLIPWAY_CODEC_KEYS'),
      },
    ],
  });
  await expect(createCodec([await aKey('other')]).decode([hidden!])).rejects.toThrow('there is other');
  expect((await without.decode(await without.encode([payload('plain')]))).map(valueOf)).toEqual(['plain']);
  expect((await createCodec([await aKey('k')]).decode([payload('by hand')])).map(valueOf)).toEqual(['by hand']);
});

test('given altered bytes, another key, or another id, then decryption fails', async () => {
  const [key, twin] = [await aKey('k'), await aKey('k')];
  const [hidden] = await createCodec([key]).encode([payload('x')]);
  const data = Uint8Array.from(hidden!.data!);
  data[14]! ^= 1;
  const renamed = { ...hidden!, metadata: { ...hidden!.metadata, 'encryption-key-id': Buffer.from('l') } };
  const damaged = { problems: [{ code: 'CODEC_PAYLOAD_DAMAGED' }] };
  await expect(createCodec([key]).decode([{ ...hidden!, data }])).rejects.toMatchObject(damaged);
  await expect(createCodec([key]).decode([{ ...hidden!, data: data.subarray(0, 5) }])).rejects.toMatchObject(damaged);
  await expect(createCodec([twin]).decode([hidden!])).rejects.toMatchObject(damaged);
  await expect(createCodec([{ ...key, id: 'l' }]).decode([renamed])).rejects.toMatchObject(damaged);
});

const line = newKeyLine('a');
test.each([
  ['keys in plain text', line, 'CODEC_KEYS_NOT_NAMED'],
  ['a variable that is not set', '$NOWHERE', 'CODEC_KEYS_UNREADABLE'],
  ['a missing file', 'file:/nowhere/keys', 'CODEC_KEYS_UNREADABLE'],
  ['a command that fails', 'command:echo no; exit 3', 'CODEC_KEYS_UNREADABLE'],
  ['nothing but a remark', 'command:echo "# none"', 'CODEC_KEYS_UNREADABLE'],
  ['a short key', 'command:echo a QUJD', 'CODEC_KEY_MALFORMED'],
  ['an id twice', `command:printf '${line}\\n${newKeyLine('a')}\\n'`, 'CODEC_KEY_MALFORMED'],
  ['a strange id', `command:echo '${newKeyLine('a/b')}'`, 'CODEC_KEY_MALFORMED'],
])('given %s, then the keys are refused', async (_what, setting, code) => {
  const error: Error = await readKeys({ SLIPWAY_CODEC_KEYS: setting, PATH: process.env['PATH'] }).then(
    () => new Error('taken'),
    (reason: Error) => reason,
  );
  expect(error).toMatchObject({ problems: [{ code, class: 'config' }] });
  for (const part of line.split(' ').slice(1)) expect(error.message).not.toContain(part);
});

test('given a file, a command or a variable, then keys are read from it; without a setting there are none', async () => {
  const text = `# the newest first\n${newKeyLine('b')}\n\n${newKeyLine('a')}\n`;
  const path = await fileOf(text);
  chmodSync(path, 0o600);
  for (const setting of [`file:${path}`, `command:cat ${path}`, '$KEYS'])
    expect((await readKeys({ SLIPWAY_CODEC_KEYS: setting, KEYS: text, PATH: process.env['PATH'] })).map(({ id }) => id)).toEqual(['b', 'a']); // prettier-ignore
  expect(await readKeys({})).toEqual([]);
});

test('given the codec server, then it decrypts for tools and the known page, and for no other page', async () => {
  const codec = createCodec([await aKey('k')]);
  const server = await serveCodec(codec, 0, ['http://127.0.0.1:8233']);
  try {
    const [hidden] = await codec.encode([payload('x')]);
    const base64 = (bytes?: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('base64');
    const metadata = Object.fromEntries(Object.entries(hidden!.metadata!).map(([key, value]) => [key, base64(value)]));
    const body = JSON.stringify({ payloads: [{ metadata, data: base64(hidden!.data) }] });
    const ask = (headers: Record<string, string>, method = 'POST', said = body): Promise<Response> =>
      fetch(`${server.address}/decode`, { method, headers, ...(method === 'POST' && { body: said }) });
    const told = (await (await ask({})).json()) as { payloads: { data: string }[] };
    expect(Buffer.from(told.payloads[0]!.data, 'base64').toString()).toBe('"x"');
    const page = { origin: 'http://127.0.0.1:8233', 'access-control-request-headers': 'x-namespace' };
    const before = await ask(page, 'OPTIONS');
    expect([before.status, before.headers.get('access-control-allow-origin')]).toEqual([204, page.origin]);
    expect(before.headers.get('access-control-allow-headers')).toBe('x-namespace');
    expect((await ask({ origin: 'http://elsewhere.example' })).status).toBe(403);
    expect((await ask({}, 'GET')).status).toBe(404);
    expect(await (await ask({}, 'POST', '{}')).json()).toEqual({ payloads: [] }); // a query of Temporal's CLI without input
  } finally {
    await server.close();
  }
});

const bombs = (count: number, held: Payload) => (): string => {
  const data = gzipSync(bytesOf(held)).toString('base64');
  const one = { metadata: { encoding: Buffer.from('binary/gzip').toString('base64') }, data };
  return JSON.stringify({ payloads: Array(count).fill(one) });
};
const bomb = (held: Payload) => bombs(3, held);
const MB_30 = 'x'.repeat(30_000_000);
const entries = (count: number): Record<string, Uint8Array> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, Buffer.of(1)]));
const withMetadata = (metadata: unknown) => (): string => JSON.stringify({ payloads: [{ metadata }] });
test.each([
  ['nothing', () => '', 400, 'CODEC_QUESTION_UNREADABLE'],
  ['no JSON', () => 'payloads=1', 400, 'CODEC_QUESTION_UNREADABLE'],
  ['null', () => 'null', 400, 'CODEC_QUESTION_UNREADABLE'],
  ['no list', () => '{"payloads": 3}', 400, 'CODEC_QUESTION_UNREADABLE'],
  ['100,000 payloads', () => `{"payloads": [${'{},'.repeat(100_000)}{}]}`, 400, 'CODEC_QUESTION_UNREADABLE'],
  ['30 MB', () => JSON.stringify({ payloads: [{ data: 'A'.repeat(30_000_000) }] }), 413, 'CODEC_QUESTION_TOO_LARGE'],
  ['100 kB that hold 90 MB', bomb(payload(MB_30)), 422, 'CODEC_ANSWER_TOO_LARGE'],
  ['100 kB that hold 90 MB of metadata', bomb({ metadata: { x: Buffer.from(MB_30) } }), 422, 'CODEC_ANSWER_TOO_LARGE'],
  ['100 kB that hold keys of 90 MB', bomb({ metadata: { [MB_30]: Buffer.of() } }), 422, 'CODEC_ANSWER_TOO_LARGE'],
  [
    '10,000 payloads that hold 100 entries each',
    bombs(10_000, { metadata: entries(100) }),
    422,
    'CODEC_ANSWER_TOO_LARGE',
  ],
  ['a text as metadata', withMetadata('x'.repeat(1_000_000)), 400, 'CODEC_QUESTION_UNREADABLE'],
  ['a list as metadata', withMetadata(['eA==']), 400, 'CODEC_QUESTION_UNREADABLE'],
  ['101 entries of metadata', withMetadata(entries(101)), 400, 'CODEC_QUESTION_UNREADABLE'],
])(
  'given a request of %s, then the codec server refuses it with a code, and answers the next one',
  async (_, body, status, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'codec-'));
    const server = await codecPort({}).serve(join(folder, 's'), []);
    const post = (said: string) =>
      ask(`unix://${server.address}`, '/decode', { method: 'POST', body: said, limitMs: 60_000 });
    const said = await post(body());
    expect([said?.status, (JSON.parse(said!.body) as { code: string }).code]).toEqual([status, code]);
    expect(await post('{}')).toEqual({ status: 200, body: '{"payloads":[]}' });
    await server.close();
    rmSync(folder, { recursive: true });
  },
);

test('given a payload that holds 300,000 entries of metadata, then it stays compressed, and takes little memory', async () => {
  const body = bombs(1, { metadata: entries(300_000) })();
  const server = await serveCodec(payloadCodecs()[1]!, 0, []);
  const before = process.memoryUsage().rss;
  const said = await fetch(`${server.address}/decode`, { method: 'POST', body });
  expect(await said.json()).toEqual(JSON.parse(body));
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  await server.close();
});

test('given an answer that cannot be written, then it is refused or its connection ends, and the next one is answered', async () => {
  const server = await serveCodec(createCodec([]), 0, []);
  const post = () =>
    fetch(`${server.address}/decode`, { method: 'POST', body: '{}', signal: AbortSignal.timeout(60_000) });
  const tooLong = (): never => {
    throw new RangeError('Invalid string length');
  };
  const write = jest.spyOn(JSON, 'stringify');
  try {
    write.mockImplementationOnce(tooLong);
    expect((await post()).status).toBe(400);
    write.mockImplementationOnce(tooLong).mockImplementationOnce(tooLong);
    await expect(post()).rejects.toThrow('fetch failed');
    expect((await post()).status).toBe(200);
  } finally {
    write.mockRestore();
    await server.close();
  }
});
