import { fail } from '../../model/failure.js';
import { archiveTooLarge } from './errors.js';

/** Limits for untrusted archives. A kernel's source has 90,000 files; the largest wheels decode to 5 GB. */
const MOST_MEMBERS = 250_000;
const MOST_BYTES = 64 * 2 ** 30;
/** Text compresses about twentyfold. Deflate can reach 1,000; xz and overlapping zip members exceed that. */
const MOST_RATIO = 400;
/** The ratio is checked only above this size. */
const FREE_BYTES = 64 * 2 ** 20;
const LONGEST_PATH_BYTES = 1_024;
const LONGEST_PART_BYTES = 255;
const DEEPEST = 64;

/** Counts decoded members and bytes. Throws ARCHIVE_TOO_LARGE past a limit. */
export interface Meter {
  /** Checks the number of members that an archive declares, before the first is read. */
  declared(members: number): void;
  member(name: string): void;
  bytes(decoded: number): void;
}

export function createMeter(archive: string, packedBytes: number): Meter {
  let [members, decoded] = [0, 0];
  const refuse = (what: string): never => {
    throw fail(archiveTooLarge(archive, what));
  };
  const checkCount = (count: number): void => {
    if (count > MOST_MEMBERS) refuse(`has more than ${MOST_MEMBERS} members`);
  };
  return {
    declared: checkCount,
    member(name) {
      checkCount(++members);
      const fault = pathFault(name);
      if (fault !== null) refuse(`${fault}: ${JSON.stringify(name.slice(0, 100))}`);
    },
    bytes(more) {
      decoded += more;
      if (decoded > MOST_BYTES) refuse(`decodes to more than ${MOST_BYTES / 2 ** 30} GiB`);
      if (decoded > FREE_BYTES && decoded > packedBytes * MOST_RATIO)
        refuse(`decodes to more than ${MOST_RATIO} times its ${packedBytes} bytes`);
    },
  };
}

function pathFault(name: string): string | null {
  if (Buffer.byteLength(name) > LONGEST_PATH_BYTES) return `has a path of more than ${LONGEST_PATH_BYTES} bytes`;
  const parts = name.split('/');
  if (parts.length > DEEPEST) return `has a path of more than ${DEEPEST} folders`;
  const isLong = parts.some((part) => Buffer.byteLength(part) > LONGEST_PART_BYTES);
  return isLong ? `has a name of more than ${LONGEST_PART_BYTES} bytes` : null;
}
