import type { Member } from '../../activities/source/ports.js';

/** An archive member. Its bytes must be read before the next member is requested. */
export interface Entry {
  readonly member: Member;
  readonly executable: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}
