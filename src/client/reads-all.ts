import { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { codecsOf, type ClientContext } from './client-context.js';
import { firstOf } from './payload.js';

/** In place of a payload that cannot be read. */
export const UNREADABLE = 'slipway: unreadable';

/** Returns a client for lists. One payload that cannot be read ends the SDK's whole list, and another program can start a
 * workflow with such a memo.
 * @param onError told why a payload cannot be read */
export function readsAll({ client }: ClientContext, onError: (error: unknown) => void): Client {
  const codecs = codecsOf({ client, address: '' });
  const decode = async (payload: Payload): Promise<Payload> =>
    defaultPayloadConverter.toPayload(
      await firstOf([payload], codecs).catch((error: unknown) => {
        onError(error);
        return UNREADABLE;
      }),
    );
  return new Client({
    connection: client.connection,
    namespace: client.options.namespace,
    dataConverter: {
      payloadCodecs: [{ encode: async (all) => all, decode: (all) => Promise.all(all.map(decode)) }],
    },
  });
}
