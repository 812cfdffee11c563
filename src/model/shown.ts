/** Colours of a program's output are removed. */
// eslint-disable-next-line no-control-regex -- removing them is the point
const COLOURS = /\u001b\[[0-9;:]*m/g;

/** Characters that move a cursor, command a terminal, reorder or hide text, or end lines. They are control and format
 * characters, separators, lone surrogates and Hangul fillers. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;

const unit = (character: string, at: number): string => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;

/** Escapes of the characters seen: output of a broken program may hold a million of one kind. */
const ESCAPES = new Map<string, string>();

/** A hidden character as JSON escapes it: `\u202e`. */
function escaped(character: string): string {
  const known = ESCAPES.get(character);
  if (known !== undefined) return known;
  const made = character.length === 1 ? unit(character, 0) : unit(character, 0) + unit(character, 1);
  ESCAPES.set(character, made);
  return made;
}

/** Makes outside text one line without hidden characters, for terminals, pages and messages. Line ends become `⏎`. */
export const shown = (text: string): string =>
  text.replace(COLOURS, '').replaceAll('\t', '    ').replace(/\r?\n/g, '⏎').replace(HIDDEN, escaped);

/** Colours that we print ourselves. 8 hides text and is excluded. */
// eslint-disable-next-line no-control-regex -- what we print is kept
const OWN_COLOURS = /(\u001b\[(?:[0-79]|[234][0-9]|9[0-7])m)/;

/** Makes lines safe for a terminal. Only our own colours stay.
 * @param colour false to remove those too */
export const safeForTerminal = (text: string, colour: boolean): string =>
  text
    .split(OWN_COLOURS)
    .map((piece, at) => (at % 2 === 1 ? (colour ? piece : '') : piece.replace(HIDDEN, keepLayout)))
    .join('');

const keepLayout = (character: string): string =>
  character === '\n' || character === '\t' ? character : escaped(character);

/** Escapes text for a chat message: no link and no mention. Slack reads `<…>`, others Markdown and `@here`. */
export const shownInChat = (text: string): string =>
  shown(text)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', '] (')
    .replace(/@(?=channel|here|everyone|all\b)/gi, '@ ');

/** A Markdown code block with a fence longer than any in the text. */
export function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
