import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common';
import { encodingOf } from './payload-bytes.js';

/** Decodes an unreadable payload to an object that says so. A decoding error would fail the workflow task for ever;
 * this object is refused like other invalid input. */
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
