import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A client decides how long a line is. Servers limit a request to some kilobytes. */
const LONGEST_LINE = 16_384;
const NEWLINE = 10;

/** Yields the lines of a log, which may be gzipped. Longer lines are left out, and so is a last line without its end.
 * Throws what the file system or gunzip throws. */
export async function* logLines(path: string): AsyncIterable<string> {
  const file = createReadStream(path, { highWaterMark: 262_144 });
  const bytes = path.endsWith('.gz') ? pipeline(file, createGunzip(), () => undefined) : file;
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      const length = rest.length + end - from;
      if (!isTooLong && length <= LONGEST_LINE)
        yield Buffer.concat([rest, piece.subarray(from, end)]).toString('latin1');
      rest = Buffer.alloc(0);
      isTooLong = false;
      from = end + 1;
    }
    isTooLong ||= rest.length + piece.length - from > LONGEST_LINE;
    rest = isTooLong ? Buffer.alloc(0) : Buffer.concat([rest, piece.subarray(from)]);
  }
}
