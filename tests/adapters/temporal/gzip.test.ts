import { gzipSync } from 'node:zlib';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { payloadCodecs } from '../../../src/adapters/temporal/codec/data-converter.js';
import { createGzip } from '../../../src/adapters/temporal/codec/gzip.js';
import { newKeyLine, readKeys, type Key } from '../../../src/adapters/temporal/codec/keys.js';
import { bytesOf, encodingOf } from '../../../src/adapters/temporal/codec/payload-bytes.js';
import { fc } from '../../support/fixed-seed.js';

const gzipCodec = createGzip('client');
const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (one: Payload): unknown => defaultPayloadConverter.fromPayload(one);
const gzipped = (data: Uint8Array): Payload => ({ metadata: { encoding: Buffer.from('binary/gzip') }, data });
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Decodes as workers and clients do. */
async function read(one: Payload): Promise<unknown> {
  let payloads = [one];
  for (const codec of payloadCodecs().toReversed()) payloads = await codec.decode(payloads);
  return valueOf(payloads[0]!);
}

test('given any payload, then it is decompressed unchanged, and takes no more room', async () => {
  const many = fc.uint8Array({ minLength: 4000, maxLength: 5000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.jsonValue(), fc.string({ minLength: 4000, maxLength: 6000, size: 'max' })),
      many,
      async (value, more) => {
        const before = [payload(value), { metadata: { encoding: Buffer.from('binary/plain'), x: more }, data: more }];
        const between = await gzipCodec.encode(before);
        const after = await gzipCodec.decode(between);
        expect(after.map((one) => textOf(bytesOf(one)))).toEqual(before.map((one) => textOf(bytesOf(one))));
        between.forEach(({ data }, at) => expect(data!.length).toBeLessThanOrEqual(before[at]!.data!.length));
      },
    ),
    { numRuns: 30 },
  );
});

test('given data of 4,096 bytes, then it stays readable; given one more byte, then it is compressed', async () => {
  const of = (bytes: number): Payload => payload('x'.repeat(bytes - 2));
  const encoded = await gzipCodec.encode([of(4096), of(4097)]);
  expect(encoded.map(encodingOf)).toEqual(['json/plain', 'binary/gzip']);
});

const METADATA = { definition: { type: 'release' }, currentDetails: 'x'.repeat(2_000_000) };
test("given a workflow's metadata of any size, then it stays readable: `temporal workflow metadata` asks no codec server", async () => {
  expect((await gzipCodec.encode([payload(METADATA)])).map(encodingOf)).toEqual(['json/plain']);
});

const keyed = async (): Promise<readonly Key[]> => readKeys({ SLIPWAY_CODEC_KEYS: '$KEYS', KEYS: newKeyLine('k') });
test("given keys, then a workflow's metadata is encrypted as everything else", async () => {
  let payloads = [payload(METADATA)];
  for (const codec of payloadCodecs(await keyed())) payloads = await codec.encode(payloads);
  expect(payloads.map(encodingOf)).toEqual(['binary/encrypted']);
});

const raw = (text: string, encoding: string): Payload => ({
  metadata: { encoding: Buffer.from(encoding) },
  data: Buffer.from(text),
});
const START = '{"definition":{"type":"release"}';
test.each([
  ['has another field', payload({ ...METADATA, steps: [] })],
  ['has another encoding', raw(JSON.stringify(METADATA), 'binary/plain')],
  ['is not JSON after its start', raw(START + 'x'.repeat(5000), 'json/plain')],
  ['has the fields in another place', payload({ value: METADATA })],
])('given a payload that looks like metadata and %s, then it is compressed', async (_, alike) => {
  expect((await gzipCodec.encode([alike])).map(encodingOf)).toEqual(['binary/gzip']);
});

test('given keys, then a payload is compressed before it is encrypted', async () => {
  let payloads = [payload('x'.repeat(100_000))];
  for (const codec of payloadCodecs(await keyed())) payloads = await codec.encode(payloads);
  expect(encodingOf(payloads[0]!)).toBe('binary/encrypted');
  expect(payloads[0]!.data!.length).toBeLessThan(1000);
});

const whole = gzipSync(bytesOf(payload({ step: 'a'.repeat(5000) })));
const flipped = Uint8Array.from(whole, (byte, at) => (at === 30 ? byte ^ 0xff : byte));
test.each([
  ['33 MiB of zeros in 33 kB', gzipSync(Buffer.alloc(33 * 1024 * 1024))],
  ['half of the bytes', whole.subarray(0, whole.length / 2)],
  ['a byte that was altered', flipped],
  ['no gzip', Buffer.from('{"step": "a"}')],
  ['nothing', Buffer.of()],
  ['gzip of other data than a payload', gzipSync(Buffer.from('{"step": "a"}'))],
  ['gzip in gzip', gzipSync(bytesOf(gzipped(whole)))],
])('given %s, then it is read as unreadable', async (_, data) => {
  expect(await read(gzipped(data))).toEqual({ unreadable: 'a payload of encoding "binary/gzip"' });
});

test.each([
  ['a message to a workflow', { type: 'workflow', namespace: 'default', workflowId: 'w' }, 'binary/gzip'],
  ['an answer of an activity', { type: 'activity', namespace: 'default', isLocal: false }, 'json/plain'],
] as const)(
  'given %s of 3 MiB, then a worker decompresses it only if an activity sent it',
  async (_, context, encoding) => {
    const encoded = await gzipCodec.encode([payload('x'.repeat(3 * 1024 * 1024))]);
    const decoded = await createGzip('worker').decode(encoded, context);
    expect(decoded.map(encodingOf)).toEqual([encoding]);
  },
);
