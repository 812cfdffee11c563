import { hexOf, type Hash } from '../../model/digest.js';

/** `Name` of a release file. */
const NAME = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** Name of a test as a step has it: its own, or 70 characters of it and 8 hex digits of its digest. */
export function stepName(name: string, hash: Hash): string {
  if (NAME.test(name)) return name;
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replaceAll(/\.{2,}/g, '.');
  return `${plain.replace(/^[^A-Za-z0-9]+/, '').slice(0, 70) || 'test'}-${hexOf(hash(name)).slice(0, 8)}`;
}

/** Id of the entry of a test: `tests/NAME`. */
export const entryId = (test: string, { prefix }: { readonly prefix: string }, hash: Hash): string =>
  `tests/${stepName(`${prefix}${test}`, hash)}`;

/** A text that stands for itself in a release file: `{word}` is a placeholder there, and `{{word}}` is `{word}`. */
export const literally = (text: string): string =>
  text.replaceAll(/(?<!\$)\{(python\.[a-z]+|[a-z][a-z0-9_]*)\}/g, '{{$1}}');
