/** How the shell parses the place of a placeholder. */
export type Quoting = 'bare' | 'double' | 'single' | 'arithmetic';

/** `{word}` of a shell line. `{{word}}` is an escape for `{word}` and has the quoting `literal`. */
export interface Placeholder {
  readonly word: string;
  readonly from: number;
  readonly to: number;
  readonly quoting: Quoting | 'literal';
  /** Program that parses this place as its own code: `python3` for `python3 -c "…"`. */
  readonly program: string | null;
  /** True at the start of a word: a command may parse the value as an option. */
  readonly first: boolean;
}

export interface Scanned {
  readonly placeholders: readonly Placeholder[];
  /** The unclosed opening: `'`, `"`, `)`, or the delimiter of a here-document. */
  readonly open: string | null;
}

/** A nested range of a shell line: quotes, a substitution, or the line itself. */
export interface Frame {
  /** How the shell parses it: `bare` splits words, `double` only expands, `arithmetic` computes. */
  readonly mode: 'bare' | 'double' | 'arithmetic';
  /** The closing text. Null for the end of the line. */
  readonly end: string | null;
  /** Words of the current command, unparsed. */
  words: string[];
  wordFrom: number | null;
  /** Number of `case` without `esac`: a `)` then ends a pattern. */
  cases: number;
  /** Program that parses all of it as its own code. */
  readonly program: string | null;
}

export const frameOf = (mode: Frame['mode'], end: string | null, program: string | null = null): Frame => ({
  ...{ mode, end, program },
  ...{ words: [], wordFrom: null, cases: 0 },
});

export interface HereDocument {
  readonly delimiter: string;
  /** True for `<<-`, which strips leading tabs. */
  readonly stripped: boolean;
  /** True if the shell expands nothing in it. */
  readonly quoted: boolean;
  readonly program: string | null;
}
