/** Colours of a program's output: they move nothing, and go. */
// eslint-disable-next-line no-control-regex -- removing them is the point
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** Characters that move a cursor, command a terminal, reorder their neighbours, end lines or are not seen: control and format
 * characters, line and paragraph separators, lone surrogates, Hangul fillers. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;

const unit = (character: string, at: number): string => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;

/** A hidden character as `\u202e`, which is also how JSON writes it. */
const escaped = (character: string): string =>
  character.length === 1 ? unit(character, 0) : unit(character, 0) + unit(character, 1);

/** Text from outside as one line that shows all of itself: for terminals, pages and messages. Ends of lines become `⏎`. */
export const shown = (text: string): string =>
  text.replace(COLOURS, '').replaceAll('\t', '    ').replace(/\r?\n/g, '⏎').replace(HIDDEN, escaped);

/** Colours that we print ourselves; 8, which hides text, is not among them. */
// eslint-disable-next-line no-control-regex -- what we print is kept
const OWN_COLOURS = /(\u001b\[(?:[0-79]|[234][0-9]|9[0-7])m)/;

/** Makes lines safe for a terminal: our own colours stay, whatever was pasted into them.
 * @param colour false: without colours */
export const safeForTerminal = (text: string, colour: boolean): string =>
  text
    .split(OWN_COLOURS)
    .map((piece, at) => (at % 2 === 1 ? (colour ? piece : '') : piece.replace(HIDDEN, keepLayout)))
    .join('');

const keepLayout = (character: string): string =>
  character === '\n' || character === '\t' ? character : escaped(character);

/** The same inside a line of Markdown: no link, image or HTML begins in it. */
export const shownInline = (text: string): string => shown(text).replace(/[[\]<]/g, '\\$&');

/** The same in a message that a chat shows: no link, and nobody is called. Slack reads `<…>`, others Markdown and `@here`. */
export const shownInChat = (text: string): string =>
  shown(text)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', '] (')
    .replace(/@(?=channel|here|everyone|all\b)/gi, '@ ');

/** A block of Markdown whose fence no line of the text can close. */
export function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
