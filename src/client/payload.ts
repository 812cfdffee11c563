import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';

/** The first value among payloads that the SDK hands over raw; null where there is none. */
export async function firstOf<T>(
  payloads: readonly Payload[] | null | undefined,
  codecs: readonly PayloadCodec[],
): Promise<T | null> {
  let [payload] = payloads ?? [];
  for (const codec of codecs.toReversed()) [payload] = payload ? await codec.decode([payload]) : [];
  return payload ? defaultPayloadConverter.fromPayload<T>(payload) : null;
}
