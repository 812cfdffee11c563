import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';

/** What the parts of the client share. */
export interface ClientContext {
  readonly client: Client;
  /** Of the server, for messages. */
  readonly address: string;
}

/** What payloads that the SDK hands over raw have gone through. */
export const codecsOf = ({ client }: ClientContext): readonly PayloadCodec[] =>
  client.options.loadedDataConverter.payloadCodecs;
