import { Parser } from 'commonmark';
import { bare, HIDDEN, linesIn } from './quiet.js';

/** A line (from 1) of a text as written that begins with a word and its `/`, outside code, quotes, lists and HTML of Markdown. */
export interface Line {
  readonly line: number;
  readonly text: string;
  readonly word: string;
  /** Text behind the word, without invisible characters. */
  readonly rest: string;
  /** Invisible characters in it: `U+202E, U+200B`. */
  readonly hidden: string;
  /** A line of `-` or `=` below makes a heading of it. */
  readonly isHeading: boolean;
}

/** Longest text that is parsed. At this length each text known to be bad takes less than a second. */
export const LONGEST = 20_000;
/** Quotes and lists in one another at the begin of one line. 15,000 lists took 105 s. */
const MOST_NESTED = 30;
/** Links. 15,000 open ones took 14 s. */
const MOST_LINKS = 200;

const NESTING = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/;
const BEGIN = /^ {0,3}(\/\p{L}[^\s/]*)(?:[ \t]+(.*))?$/u;

/** Returns all such lines of a text, or why it is not parsed. A text without a line that is ours has none, and is not parsed. */
export function linesOf(text: string, isOurs: (line: Pick<Line, 'word'>) => boolean): readonly Line[] | string {
  const raw = linesIn(text);
  const begun = raw.map(begin);
  if (!begun.some((one) => one !== null && isOurs(one))) return [];
  const why = tooMuch(text, raw);
  if (why !== null) return why;
  const shown = shownIn(raw.map((line, at) => begun[at]?.marked ?? line.replace(/[\ue000\ue001]/g, ' ')).join('\n'));
  return begun.flatMap((one, at) => {
    const isHeading = shown.get(at);
    return one === null || isHeading === undefined ? [] : [{ ...one, line: at + 1, isHeading }];
  });
}

function begin(text: string, at: number) {
  const seen = bare(text);
  const [, word, rest = ''] = BEGIN.exec(seen) ?? [];
  if (word === undefined) return null;
  const hidden = [...new Set(text.match(HIDDEN))].slice(0, 3).map(codePoint).join(', ');
  return { text, word, rest: rest.trim(), hidden, marked: seen.replace('/', `\ue000${at}\ue001`) };
}
const codePoint = (one: string): string => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

function tooMuch(text: string, raw: readonly string[]): string | null {
  if (text.length > LONGEST) return `it has ${text.length} characters, and directives are read of at most ${LONGEST}`;
  const deep = raw.findIndex((line) => NESTING.exec(line)![0].replace(/[ \t\d]/g, '').length > MOST_NESTED);
  if (deep >= 0) return `line ${deep + 1} begins with more than ${MOST_NESTED} quotes or lists in one another`;
  return text.split('](').length > MOST_LINKS ? `it has more than ${MOST_LINKS} links` : null;
}

/** Numbers of the marked lines that stand in paragraphs and headings of the document, and whether in a heading. Each has a mark in
 * place of its `/`: inline nodes have no position. A mark in code, HTML, a link or a definition is no text. */
function shownIn(marked: string): ReadonlyMap<number, boolean> {
  const found = new Map<number, boolean>();
  for (let block = new Parser().parse(marked).firstChild; block !== null; block = block.next) {
    if (block.type !== 'paragraph' && block.type !== 'heading') continue;
    const walker = block.walker();
    for (let [event, links] = [walker.next(), 0]; event !== null; event = walker.next()) {
      const { type, literal } = event.node;
      if (type === 'link' || type === 'image') links += event.entering ? 1 : -1;
      const [, at] = (type === 'text' && links === 0 && /^\ue000(\d+)\ue001/.exec(literal ?? '')) || [];
      if (at !== undefined) found.set(Number(at), block.type === 'heading');
    }
  }
  return found;
}
