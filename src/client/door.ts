import type { Client } from '@temporalio/client';

/** What the parts of the client share. */
export interface Door {
  readonly client: Client;
  /** Of the server, for messages. */
  readonly address: string;
}
