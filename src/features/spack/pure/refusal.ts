import { quoted } from '../../../importers/file-problem.js';

/** Why a text is not understood, for people. */
export interface NotUnderstood {
  readonly why: string;
}

export class Refusal extends Error {}
export const refuse = (why: string): never => {
  throw new Refusal(why);
};

/** Returns what is made, or why it was refused. */
export function unlessRefused<T>(make: () => T): T | NotUnderstood {
  try {
    return make();
  } catch (error) {
    if (error instanceof Refusal) return { why: error.message };
    throw error;
  }
}

/** Words of a text without the blanks between them.
 * @param word a sticky expression for a word or a blank */
export function wordsOf(text: string, word: RegExp): readonly RegExpExecArray[] {
  const words: RegExpExecArray[] = [];
  word.lastIndex = 0;
  while (word.lastIndex < text.length) {
    const at = word.lastIndex;
    const found = word.exec(text) ?? refuse(`nothing is known that begins with ${quoted(text.slice(at, at + 20))}`);
    if (found[0].trim() !== '') words.push(found);
  }
  return words;
}
