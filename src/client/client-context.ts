import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';

export interface ClientContext {
  readonly client: Client;
  /** Address of the server, for messages. */
  readonly address: string;
}

/** Codecs for payloads that the SDK returns raw. */
export const codecsOf = ({ client }: ClientContext): readonly PayloadCodec[] =>
  client.options.loadedDataConverter.payloadCodecs;
