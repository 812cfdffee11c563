/** Programs that take code as an argument, and the options before it. */
const INTERPRETERS: readonly { readonly name: RegExp; readonly option: RegExp }[] = [
  { name: /^(ba|da|k|z)?sh$|^python[\d.]*$|^su$/, option: /^-[A-Za-z]*c$/ },
  { name: /^(perl|ruby|node)$/, option: /^(-[A-Za-z]*[eEp]|--eval|--print)$/ },
];
/** ssh options without a value. */
const SSH_FLAG = /^-[46AaCfGgKkMNnqsTtVvXxYy]+$/;

const plain = (word: string): string => word.replace(/['"\\]/g, '').replace(/^.*\//, '');

/** Returns the program that parses the next word of a command as code. Null if none does.
 * @param words words of the command so far, unparsed */
export function programTaking(words: readonly string[]): string | null {
  const names = words.map(plain);
  if (names[0] === 'eval') return 'eval';
  const last = names.at(-1) ?? '';
  const taken = INTERPRETERS.find(({ name, option }) => option.test(last) && names.some((word) => name.test(word)));
  if (taken) return names.find((word) => taken.name.test(word))!;
  return isRemoteCommand(names) ? 'ssh' : null;
}

/** Returns the interpreter that reads a here-document as its program. Null if none does. */
export function programReading(words: readonly string[]): string | null {
  const names = words.map(plain);
  const at = names.findIndex((word) => INTERPRETERS.some(({ name }) => name.test(word)));
  if (at >= 0 && names.slice(at + 1).every((word) => word.startsWith('-'))) return names[at]!;
  return names.includes('ssh') ? 'ssh' : null;
}

/** Whether the next word is behind the host of `ssh`, which joins these words to one shell line. */
function isRemoteCommand(names: readonly string[]): boolean {
  const at = names.indexOf('ssh');
  if (at < 0) return false;
  const rest = names.slice(at + 1);
  return rest.some((word, index) => !word.startsWith('-') && !takesValue(rest[index - 1]));
}

const takesValue = (option: string | undefined): boolean =>
  option !== undefined && option.startsWith('-') && option.length === 2 && !SSH_FLAG.test(option);
