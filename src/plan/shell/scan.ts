import { type Frame, frameOf, type HereDocument, type Placeholder, type Quoting, type Scanned } from './frame.js';
import { isSetting, wordPattern } from '../text.js';
import { programReading, programTaking } from './program.js';

const PLACEHOLDER = wordPattern('y');
const DELIMITER = /<<(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s;&|<>()'"\\])+)/y;
/** Reserved words after which a command begins. */
const RESERVED = /^(if|then|elif|else|while|until|do|!|\{)$/;
const OPENING: readonly (readonly [text: string, mode: Frame['mode'] | null, end: string])[] = [
  ['$((', 'arithmetic', '))'],
  ['$(', 'bare', ')'],
  ['${', null, '}'],
  ['`', 'bare', '`'],
];

/** Finds the placeholders of a line for `sh`, and the quoting of each (POSIX, Shell Command Language, 2.2 and 2.3).
 * @param first of settings: `config` for `{config.port}` */
export const scanShell = (text: string, first?: string): Scanned =>
  new Scanner(text, 0, text.length, frameOf('bare', null), first ? wordPattern('y', first) : PLACEHOLDER).run();

class Scanner {
  readonly #found: Placeholder[] = [];
  readonly #frames: Frame[];
  #pending: HereDocument[] = [];
  #open: string | null = null;
  readonly #text: string;
  #at: number;
  readonly #end: number;
  readonly #word: RegExp;

  constructor(text: string, from: number, end: number, base: Frame, word: RegExp) {
    this.#word = word;
    this.#text = text;
    this.#at = from;
    this.#end = end;
    this.#frames = [base];
  }

  run(): Scanned {
    while (this.#at < this.#end) this.#step();
    const open = this.#open ?? this.#frame.end ?? this.#pending[0]?.delimiter ?? null;
    return { placeholders: this.#found, open };
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #step(): void {
    const char = this.#text[this.#at]!;
    if (char === '{' && this.#placeholder()) return;
    if (char === '\\') return this.#escape();
    if (char === ')' && this.#frame.mode === 'bare') this.#endWord(false);
    if (this.#closes()) return this.#pop();
    const opening = OPENING.find(([text]) => this.#text.startsWith(text, this.#at));
    if (opening) return this.#push(opening[0].length, frameOf(opening[1] ?? this.#frame.mode, opening[2]));
    if (this.#frame.mode === 'bare') return this.#bare(char);
    if (this.#frame.mode === 'arithmetic' && char === '(') return this.#push(1, frameOf('arithmetic', ')'));
    this.#at += 1;
  }

  /** An escaped line end joins two lines and begins no word. */
  #escape(): void {
    if (this.#text[this.#at + 1] === '\n') this.#at += 2;
    else this.#skip(2);
  }

  #closes(): boolean {
    const { end, cases } = this.#frame;
    return end !== null && !(end === ')' && cases > 0) && this.#text.startsWith(end, this.#at);
  }

  #bare(char: string): void {
    if (char === "'") return this.#single();
    if (char === '"') return this.#push(1, frameOf('double', '"'));
    if (this.#frame.end === '}') return this.#skip(1);
    if (char === '#' && this.#frame.wordFrom === null) return this.#comment();
    if (char === '<' && this.#hereDocument()) return;
    if (char === '\n') return this.#newline();
    if (char === '(') {
      this.#endWord(true);
      return this.#push(1, frameOf('bare', ')'));
    }
    if (/[;&|)]/.test(char) && !/[<>]/.test(this.#text[this.#at - 1] ?? '')) this.#endWord(true);
    else if (/[ \t<>]/.test(char)) this.#endWord(false);
    else return this.#skip(1);
    this.#at += 1;
  }

  #skip(count: number): void {
    this.#frame.wordFrom ??= this.#at;
    this.#at += count;
  }

  #push(length: number, frame: Frame): void {
    this.#skip(length);
    this.#frames.push(frame);
  }

  #pop(): void {
    const { end } = this.#frames.pop()!;
    this.#at += end!.length;
  }

  #endWord(command: boolean): void {
    const frame = this.#frame;
    if (frame.wordFrom !== null) {
      const word = this.#text.slice(frame.wordFrom, this.#at);
      if (frame.words.every((before) => RESERVED.test(before))) {
        if (word === 'case') frame.cases += 1;
        if (word === 'esac') frame.cases = Math.max(0, frame.cases - 1);
      }
      frame.words.push(word);
    }
    frame.wordFrom = null;
    if (command) frame.words = [];
  }

  #single(): void {
    const close = this.#text.indexOf("'", this.#at + 1);
    const end = close < 0 || close >= this.#end ? this.#end : close;
    if (end === this.#end) this.#open = "'";
    this.#skip(1);
    this.#literally(end);
    this.#at = end + 1;
  }

  /** Finds placeholders up to an end in text that the shell does not expand. */
  #literally(end: number): void {
    for (; this.#at < end; this.#at += 1) while (this.#text[this.#at] === '{' && this.#placeholder('single'));
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#end : Math.min(end, this.#end);
  }

  #hereDocument(): boolean {
    if (this.#text.startsWith('<<<', this.#at - 1) || this.#text.startsWith('<<<', this.#at)) return false;
    DELIMITER.lastIndex = this.#at;
    const [whole, dash, raw] = DELIMITER.exec(this.#text) ?? [];
    if (whole === undefined || raw === undefined) return false;
    this.#endWord(false);
    const delimiter = raw.replace(/['"]|\\(?=.)/g, '');
    const program = programReading(this.#frame.words);
    this.#pending.push({ delimiter, stripped: dash === '-', quoted: /['"\\]/.test(raw), program });
    this.#at += whole.length;
    return true;
  }

  #newline(): void {
    this.#endWord(true);
    this.#at += 1;
    const pending = this.#pending;
    this.#pending = [];
    for (const one of pending) this.#body(one);
  }

  #body({ delimiter, stripped, quoted, program }: HereDocument): void {
    const escaped = delimiter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const last = new RegExp(`^${stripped ? '\\t*' : ''}${escaped}$`, 'gm');
    last.lastIndex = this.#at;
    const found = last.exec(this.#text);
    const end = found && found.index < this.#end ? found.index : this.#end;
    if (end === this.#end) this.#open = delimiter;
    if (quoted) this.#literally(end);
    else {
      const frame = frameOf('double', null, program);
      const { placeholders, open } = new Scanner(this.#text, this.#at, end, frame, this.#word).run();
      this.#found.push(...placeholders);
      this.#open ??= open;
    }
    this.#at = end + (found?.[0].length ?? 0);
  }

  /** Consumes a placeholder at the current position. Returns false if there is none. */
  #placeholder(quoting: Quoting = this.#frame.mode): boolean {
    if (this.#text[this.#at - 1] === '$') return false;
    this.#word.lastIndex = this.#at;
    const [whole, open, word, close] = this.#word.exec(this.#text) ?? [];
    if (whole === undefined || word === undefined) return false;
    if (isSetting(word) && open === '{' && close === '') return false;
    const from = this.#at;
    const closing = (this.#frame.end === '}' || isSetting(word)) && open === '' ? '' : close;
    const to = from + whole.length - (closing === close ? 0 : close!.length);
    const { wordFrom } = this.#command();
    const first = wordFrom === null || /^['"]*$/.test(this.#text.slice(wordFrom, from));
    const found = { word, from, to, first };
    if (open === '{' && closing === '}') this.#found.push({ ...found, quoting: 'literal', program: null });
    else if (open === '' && closing === '') this.#found.push({ ...found, quoting, program: this.#program() });
    if (quoting === 'single') this.#at = to;
    else this.#skip(to - from);
    return true;
  }

  /** The frame of the current command: quotes and expansions belong to a word of their parent. */
  #command(): Frame {
    return this.#frames.findLast(({ mode, end }) => mode === 'bare' && end !== '}') ?? this.#frames[0]!;
  }

  #program(): string | null {
    const [base] = this.#frames;
    return base!.program ?? programTaking(this.#command().words);
  }
}
