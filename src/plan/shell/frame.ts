/** How the shell reads the place of a placeholder. */
export type Quoting = 'bare' | 'double' | 'single' | 'arithmetic';

/** `{word}` of a shell line; `{{word}}`, which stands for `{word}` itself, is one with the quoting `literal`. */
export interface Placeholder {
  readonly word: string;
  readonly from: number;
  readonly to: number;
  readonly quoting: Quoting | 'literal';
  /** Program that reads this place as a part of its own text: `python3` of `python3 -c "…"`. */
  readonly program: string | null;
  /** A word begins with it, so that a command may read it as an option. */
  readonly first: boolean;
}

export interface Scanned {
  readonly placeholders: readonly Placeholder[];
  /** The opening that is never closed: `'`, `"`, `)`, a here-document's delimiter. */
  readonly open: string | null;
}

/** A stretch of a shell line between a beginning and its end: quotes, a substitution, the line itself. */
export interface Frame {
  /** How the shell reads it: `bare` splits words, `double` expands only, `arithmetic` computes. */
  readonly mode: 'bare' | 'double' | 'arithmetic';
  /** The text that ends it; null: the end of the whole text. */
  readonly end: string | null;
  /** Words of the command so far, as they are written. */
  words: string[];
  /** Index at which the current word began. */
  wordFrom: number | null;
  /** `case` without its `esac`: a `)` then ends a pattern. */
  cases: number;
  /** Program that reads all of it as its own text. */
  readonly program: string | null;
}

export const frameOf = (mode: Frame['mode'], end: string | null, program: string | null = null): Frame => ({
  ...{ mode, end, program },
  ...{ words: [], wordFrom: null, cases: 0 },
});

export interface HereDocument {
  readonly delimiter: string;
  /** Leading tabs are not part of its lines: `<<-`. */
  readonly stripped: boolean;
  /** The shell expands nothing in it. */
  readonly quoted: boolean;
  readonly program: string | null;
}
