import type { Payload } from '@temporalio/common';
import { Reader, Writer } from 'protobufjs/minimal.js';
import { fail } from '../../../model/failure.js';
import { codecMetadataLong } from './errors.js';

/** temporal.api.common.v1.Payload: `map<string, bytes> metadata = 1; bytes data = 2`. Temporal's SDK samples encode
 * inner payloads the same way, so codec servers in other languages can read these. */
const [METADATA, DATA, KEY, VALUE] = [1, 2, 1, 2];
const LENGTH_DELIMITED = 2;
/** Most entries of metadata. Temporal's converters write three. */
export const MOST_ENTRIES = 100;
const tag = (field: number): number => (field << 3) | LENGTH_DELIMITED;

/** The name of a payload's encoding. Empty if it has none. */
export const encodingOf = ({ metadata }: Payload): string => Buffer.from(metadata?.['encoding'] ?? []).toString('utf8');

export function bytesOf({ metadata, data }: Payload): Uint8Array {
  const writer = Writer.create();
  for (const [key, value] of Object.entries(metadata ?? {}))
    writer.uint32(tag(METADATA)).fork().uint32(tag(KEY)).string(key).uint32(tag(VALUE)).bytes(value).ldelim();
  if (data) writer.uint32(tag(DATA)).bytes(data);
  return writer.finish();
}

/** Throws if the bytes are no payload, and CODEC_METADATA_LONG for more than MOST_ENTRIES. */
export function payloadOf(bytes: Uint8Array): Payload {
  const reader = Reader.create(bytes);
  const metadata: Record<string, Uint8Array> = {};
  let data: Uint8Array = new Uint8Array();
  for (let left = MOST_ENTRIES; reader.pos < reader.len;) {
    const at = reader.uint32();
    if (at === tag(METADATA) && left-- === 0) throw fail(codecMetadataLong(MOST_ENTRIES));
    if (at === tag(DATA)) data = reader.bytes();
    else if (at === tag(METADATA)) Object.assign(metadata, entryOf(reader.bytes()));
    else reader.skipType(at & 7);
  }
  return { metadata, data };
}

function entryOf(bytes: Uint8Array): Record<string, Uint8Array> {
  const reader = Reader.create(bytes);
  let [key, value] = ['', new Uint8Array()];
  while (reader.pos < reader.len) {
    const at = reader.uint32();
    if (at === tag(KEY)) key = reader.string();
    else if (at === tag(VALUE)) value = Uint8Array.from(reader.bytes());
    else reader.skipType(at & 7);
  }
  return { [key]: value };
}
