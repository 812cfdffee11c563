import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { encodingOf } from './payload-bytes.js';

/** What nobody can read would fail a run's task for ever, and whoever sent it would never know: it is read as an object that says
 * so, and refused like any other nonsense. */
export const legible: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => payloads.map(readable),
};

function readable(payload: Payload): Payload {
  try {
    defaultPayloadConverter.fromPayload(payload);
    return payload;
  } catch {
    const encoding = encodingOf(payload).slice(0, 80);
    return defaultPayloadConverter.toPayload({ unreadable: `a payload of encoding ${JSON.stringify(encoding)}` });
  }
}
