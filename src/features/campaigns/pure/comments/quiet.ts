import { shown } from '../../../../model/shown.js';

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Outside text in one line. It holds no marker. */
export const line = (text: string, most: number): string =>
  cut(shown(text.slice(0, most + 1)), most).replaceAll('<!--', '<! --');

/** Outside text as code: GitHub looks for no user, issue or link there. */
export const code = (text: string, most = 200): string => `\`${line(text, most).replaceAll('`', "'").trim() || ' '}\``;

const MARKDOWN = /[\\`*_[\]<>~|!]/g;
const TOLD = /@|#(?=\d)|&(?=[#a-z])|:(?=\/\/)|GH(?=-)|www(?=\.)/gi;
/** Outside text in a sentence. A joiner of no width keeps GitHub from telling the users and issues that it names, and from links. */
export const prose = (text: string, most = 250): string =>
  line(text, most).replace(MARKDOWN, '\\$&').replace(TOLD, '$&\u200d').trim();

const MOST = 20;
/** A list of at most 20 items. */
export const list = <T>(all: readonly T[], told: (one: T) => string): readonly string[] => [
  ...all.slice(0, MOST).map((one) => `- ${told(one)}`),
  ...(all.length > MOST ? [`- and ${all.length - MOST} more`] : []),
];
