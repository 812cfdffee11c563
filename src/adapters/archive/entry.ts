import type { Member } from '../../activities/source/ports.js';

/** A member with its bytes, to be read before the next one is asked for. */
export interface Entry {
  readonly member: Member;
  readonly executable: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}
