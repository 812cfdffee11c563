import { Parser } from 'htmlparser2';

/** A link of a page, entities decoded. */
export interface Anchor {
  readonly href: string;
  readonly label: string;
}

export interface Listing {
  readonly anchors: readonly Anchor[];
  /** True if the page declares itself an index or a folder listing. */
  readonly isIndex: boolean;
}

/** Customary titles of indexes and folder listings. */
const TITLE = /links for|simple index|index of|directory listing/i;

/** An index nests five deep. The parser's time grows with length times depth, so depth is limited. */
const DEEPEST = 200;

/** Reads the links of an HTML page (PEP 503, PEP 629). Null if the page nests deeper than any index. */
export function readListing(html: string): Listing | null {
  const reader = new ListingReader();
  const parser: Parser = new Parser({
    onopentagname: () => reader.descend() > DEEPEST && parser.pause(),
    onopentag: (name, attributes) => reader.open(name, attributes),
    ontext: (text) => reader.text(text),
    onclosetag: (name, isImplied) => reader.close(name, isImplied),
  });
  parser.end(html);
  return reader.deepest > DEEPEST ? null : reader;
}

const HEADS = ['title', 'h1'];

class ListingReader implements Listing {
  readonly anchors: Anchor[] = [];
  isIndex = false;
  deepest = 0;
  private depth = 0;
  private href: string | null = null;
  private pieces: string[] = [];

  /** Returns the depth of the new element. */
  descend(): number {
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    return this.depth;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.isIndex ||= name === 'meta' && attributes['name']?.toLowerCase() === 'pypi:repository-version';
    if (name === 'a') this.href = attributes['href'] ?? null;
    if (name === 'a' || HEADS.includes(name)) this.pieces = [];
  }

  text(text: string): void {
    this.pieces.push(text);
  }

  /** @param isImplied the page does not close the element itself: its text may be cut off */
  close(name: string, isImplied: boolean): void {
    this.depth -= 1;
    if (name !== 'a' && !HEADS.includes(name)) return;
    const label = this.pieces.join('');
    if (name !== 'a') this.isIndex ||= TITLE.test(label);
    else if (this.href !== null && !isImplied) this.anchors.push({ href: this.href, label });
    if (name === 'a') this.href = null;
  }
}
