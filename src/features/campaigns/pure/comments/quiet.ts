import { shown } from '../../../../model/shown.js';

/** Format and control characters, unpaired halves, blanks other than the plain ones, and what fonts draw as nothing. */
export const HIDDEN = /(?![ \t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{DI}\u2800]/gu;

/** A line without invisible characters. Strange blanks are plain ones. */
export const bare = (line: string): string => line.replace(HIDDEN, (one) => (/\p{Z}/u.test(one) ? ' ' : ''));

export const linesIn = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

/** Half a character, or a part of one that `shown` escaped, at the end of a text. */
const HALF = /(?:\\ud[89ab][\da-f]{2})?(?:\\(?:u[\da-f]{0,3})?)?$|[\ud800-\udbff]$/;

/** A text of at most so many characters. It ends between two of them. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(HALF, '')}…` : text;

/** Outside text in one line. It holds no marker. */
export const line = (text: string, most: number): string =>
  cut(shown(cut(text, 4 * most)), most).replaceAll('<!--', '<! --');

/** Outside text as code: GitHub finds no user, issue, commit or link there. A blank parts "`" from `$`: both begin mathematics. */
export function code(text: string, most = 200): string {
  const said = line(text, most).replaceAll('`', "'").trim() || ' ';
  return /^\$|\$$/.test(said) ? `\` ${said} \`` : `\`${said}\``;
}

const MARKDOWN = /[\\`*_[\]<>~|!]/g;
const TOLD = /@|#(?=\d)|&(?=[#a-z])|:(?=\/\/|[\w+-]+:)|(?:GH(?:SA)?|CVE)(?=-)|www(?=\.)|[\da-f]{6}(?=[\da-f])/gi;
const told = (text: string): string => text.replace(MARKDOWN, '\\$&').replace(TOLD, '$&\u200d');
/** Outside text in a sentence. A joiner of no width keeps GitHub from telling the users, issues and commits that it names, and from
 * links. It is code from its first `$` to its last: mathematics stands between two of them. */
export const prose = (text: string, most = 250): string =>
  line(text, most)
    .split(/(\S*\$(?:.*\$)?\S*)/)
    .map((part, at) => (at % 2 === 0 ? told(part) : code(part, most)))
    .join('')
    .trim();

const MOST = 20;
/** A list of at most 20 items. */
export const list = <T>(all: readonly T[], told: (one: T) => string): readonly string[] => [
  ...all.slice(0, MOST).map((one) => `- ${told(one)}`),
  ...(all.length > MOST ? [`- and ${all.length - MOST} more`] : []),
];
