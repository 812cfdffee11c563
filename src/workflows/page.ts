import { fenced, shown } from '../model/shown.js';
import { bytesOf } from './fitting.js';

/** Largest text in bytes. Temporal's page asks for it by an address, in which a byte may take three. */
export const MOST_BYTES = 4_000;
/** Longest line, in characters. */
const LONGEST = 160;
/** Room for a title, its two fences, and the line that counts what is left out. */
const FRAME_BYTES = 90;

/** Lines that belong together. The first one says the most. */
export type Block = readonly string[];
export interface Section {
  readonly title: string;
  /** Number of blocks, with those that are not drawn. */
  readonly count: number;
  readonly blocks: readonly Block[];
  /** Bytes that earlier sections leave for this one, if it needs them. */
  readonly least: number;
}

/** Text from outside as code within a line of Markdown. */
export const inCode = (text: string): string => `\`${cut(text).replaceAll('`', "'")}\``;

/** Returns sections as Markdown of at most MOST_BYTES. Temporal's page makes links of bare addresses, so all lines are code.
 * @param head Markdown without text from outside, except for `inCode` */
export function drawn(head: string, sections: readonly Section[]): string {
  const used = sections.filter(({ blocks }) => blocks.length > 0);
  let left = MOST_BYTES - bytesOf(head);
  const reserved = used.map((section) => Math.min(section.least, FRAME_BYTES + bytesOf(section.blocks.flat().map(cut).join('\n')))); // prettier-ignore
  const texts = used.map((section, at) => {
    const later = reserved.slice(at + 1).reduce((sum, bytes) => sum + bytes, 0);
    const text = `\n**${section.title}**\n${fenced(fitting(section, left - later - FRAME_BYTES).join('\n'))}`;
    left -= bytesOf(text) + 1;
    return text;
  });
  return [head, ...texts].join('\n');
}

/** Returns the blocks that fit, or as many lines of the first one as fit, and the number of the others. */
function fitting({ blocks, count }: Section, room: number): readonly string[] {
  const lines: string[] = [];
  let [left, told] = [room, 0];
  for (const block of blocks) {
    const cuts = block.map(cut);
    const bytes = bytesOf(cuts.join('\n')) + 1;
    if (bytes > left && told > 0) break;
    for (const line of cuts) if ((left -= bytesOf(line) + 3) >= 0) lines.push(line);
    told++;
  }
  return told < count ? [...lines, `… and ${count - told} more: slipway status`] : lines;
}

function cut(text: string): string {
  const line = shown(text);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).replace(/\p{Surrogate}$/u, '')}…`;
}
