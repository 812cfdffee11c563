import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';

/** Returns the first of the SDK's raw payloads, decoded. Null if there is none. */
export async function firstOf<T>(
  payloads: readonly Payload[] | null | undefined,
  codecs: readonly PayloadCodec[],
): Promise<T | null> {
  let [payload] = payloads ?? [];
  for (const codec of codecs.toReversed()) [payload] = payload ? await codec.decode([payload]) : [];
  return payload ? defaultPayloadConverter.fromPayload<T>(payload) : null;
}
