import type { Client } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';

/** What the parts of the client share. */
export interface Door {
  readonly client: Client;
  /** Of the server, for messages. */
  readonly address: string;
}

/** What payloads that the SDK hands over raw have gone through. */
export const codecsOf = ({ client }: Door): readonly PayloadCodec[] => client.options.loadedDataConverter.payloadCodecs;
