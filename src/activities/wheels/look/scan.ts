import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { PathHit } from '../../../engine/checks/builder-paths.js';
import type { Section } from '../../natives/elf.js';
import type { Needle } from './needles.js';

export interface Scan {
  readonly sha256: string;
  readonly size: number;
  readonly hits: readonly RawHit[];
  readonly binary: boolean;
}
export interface RawHit {
  readonly offset: number;
  readonly line: number;
  readonly path: string;
}

const LONGEST_PATH = 512;
const MOST_HITS = 50;

/** Reads a file once for its SHA-256 and all hits. Memory is bounded. */
export async function scanFile(path: string, needles: readonly Needle[]): Promise<Scan> {
  const hash = createHash('sha256');
  const hits: RawHit[] = [];
  let [size, line, carry, binary] = [0, 1, Buffer.alloc(0), false];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    binary ||= chunk.includes(0);
    const data = Buffer.concat([carry, chunk]);
    const last = Math.max(0, data.length - LONGEST_PATH);
    if (hits.length < MOST_HITS) hits.push(...find(data, 0, last, size - carry.length, line, needles));
    line += newlines(data.subarray(0, last));
    size += chunk.length;
    carry = data.subarray(last);
  }
  hits.push(...find(carry, 0, carry.length, size - carry.length, line, needles));
  return { sha256: hash.digest('base64url'), size, hits: hits.slice(0, MOST_HITS), binary };
}

/** Returns hits that start in [from, to). The rest is searched again with the next chunk. */
function find(
  data: Buffer,
  from: number,
  to: number,
  base: number,
  line: number,
  needles: readonly Needle[],
): RawHit[] {
  const hits: RawHit[] = [];
  const taken = new Set<number>();
  for (const needle of needles) {
    for (let at = data.indexOf(needle.prefix, from); at >= 0 && at < to; at = data.indexOf(needle.prefix, at + 1)) {
      const path = pathAt(data, at, needle);
      if (path === null || taken.has(at)) continue;
      taken.add(at);
      hits.push({ offset: base + at, line: line + newlines(data.subarray(0, at)), path });
    }
  }
  return hits.sort((a, b) => a.offset - b.offset);
}

/** Returns the path up to a character that ends it. Null if the folder's name continues. */
function pathAt(data: Buffer, at: number, { prefix, name }: Needle): string | null {
  const text = data.subarray(at, at + LONGEST_PATH).toString('latin1');
  const rest = text.slice(prefix.length);
  if (/^[\w.-]/.test(rest)) return null;
  return name + /^[^\s"'`:;<>()\0]*/.exec(rest)![0];
}

function newlines(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) count += 1;
  return count;
}

/** Classifies hits by section. `.dynstr` is left out, since run paths are checked separately.
 * @param sections null for a text; empty for a binary without readable sections */
export function placeHits(
  member: string,
  hits: readonly RawHit[],
  sections: readonly Section[] | null,
): readonly PathHit[] {
  if (sections === null) return hits.map(({ line, path }) => ({ member, in: 'text' as const, line, path }));
  return hits.flatMap(({ offset, path }): PathHit[] => {
    const section = sections.find((one) => offset >= one.offset && offset < one.offset + one.size)?.name ?? '';
    if (section === '.dynstr') return [];
    const debug = /^\.(z?debug|comment|symtab|strtab|gnu_debug)/.test(section);
    return [{ member, in: debug ? 'debug' : 'code', line: null, path }];
  });
}
