import { quoted as short } from '../file-problem.js';

/** Quotes a text of a list, without the user and password of an address in it. */
export const quoted = (text: string): string => short(text.replace(/\/\/[^/\s]*@/g, '//…@'));
