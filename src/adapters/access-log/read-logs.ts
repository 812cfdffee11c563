import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fail } from '../../model/failure.js';
import { NO_USE, type IndexUse } from '../../model/index-use.js';
import { logAbsent, logUnreadable } from './errors.js';
import { fetchedWheel, readLine } from './read-line.js';

/** A client decides how long a line is. Servers limit a request to some kilobytes. */
const LONGEST_LINE = 16_384;
const NEWLINE = 10;

export interface ReadLogs {
  /** Whether the index has a wheel, by `PLATFORM/FILE`. Others are not remembered. */
  readonly isKnown: (key: string) => boolean;
  readonly nowMs: number;
  /** True for the log of a server that runs on this machine: it covers the time until now. */
  readonly isLive: boolean;
}

/** Reads an access log and its rotated parts: `LOG`, `LOG.1`, `LOG.2.gz`, `LOG-20261101`. Returns one record for each.
 * Throws ACCESS_LOG_ABSENT, ACCESS_LOG_UNREADABLE. */
export async function readLogs(log: string, asked: ReadLogs): Promise<readonly IndexUse[]> {
  const parts = await partsOf(log);
  if (parts.length === 0) throw fail(logAbsent(log));
  const all: IndexUse[] = [];
  for (const part of parts) all.push(await readPart(part, { ...asked, isLive: asked.isLive && part === log }));
  return all;
}

async function partsOf(log: string): Promise<readonly string[]> {
  const folder = dirname(log);
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((name) => name === basename(log) || isRotated(name.slice(basename(log).length), name, log));
  const paths = own.sort().map((name) => join(folder, name));
  const seen = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  // A FIFO would block the reader.
  return paths.filter((_, at) => seen[at]?.isFile() === true);
}

const isRotated = (rest: string, name: string, log: string): boolean =>
  name.startsWith(basename(log)) && /^[.-]\d[\d.-]*(\.gz)?$/.test(rest);

async function readPart(path: string, { isKnown, nowMs, isLive }: ReadLogs): Promise<IndexUse> {
  const fetched = new Map<string, number>();
  const read = { firstMs: Infinity, lastMs: -Infinity };
  try {
    for await (const line of logLines(path)) {
      const request = readLine(line);
      // A time after now is not of this log.
      if (request === null || request.atMs > nowMs + 60_000) continue;
      read.firstMs = Math.min(read.firstMs, request.atMs);
      read.lastMs = Math.max(read.lastMs, request.atMs);
      const key = fetchedWheel(request);
      if (key !== null && isKnown(key)) fetched.set(key, Math.max(fetched.get(key) ?? 0, request.atMs));
    }
  } catch (error) {
    throw fail(logUnreadable(path, (error as Error).message), error);
  }
  if (read.firstMs === Infinity) return NO_USE;
  const span = { from: textOf(read.firstMs), to: textOf(isLive ? Math.max(nowMs, read.lastMs) : read.lastMs) };
  return {
    ...NO_USE,
    read: [span],
    fetched: Object.fromEntries([...fetched].map(([key, atMs]) => [key, textOf(atMs)])),
  };
}

const textOf = (ms: number): string => new Date(ms).toISOString();

/** Yields the lines of a log, which may be gzipped. Longer lines are left out, and so is a last line without its end.
 * Throws what the file system or gunzip throws. */
async function* logLines(path: string): AsyncIterable<string> {
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
