/** Programs that take a program's text as an argument, and the options that announce it. */
const INTERPRETERS: readonly { readonly name: RegExp; readonly option: RegExp }[] = [
  { name: /^(ba|da|k|z)?sh$|^python[\d.]*$|^su$/, option: /^-[A-Za-z]*c$/ },
  { name: /^(perl|ruby|node)$/, option: /^(-[A-Za-z]*[eEp]|--eval|--print)$/ },
];
/** Options of ssh that have no value of their own. */
const SSH_FLAG = /^-[46AaCfGgKkMNnqsTtVvXxYy]+$/;

const plain = (word: string): string => word.replace(/['"\\]/g, '').replace(/^.*\//, '');

/** Name of the program that reads the next word of a command as a program's text. Null if none does.
 * @param words of the command so far, as they are written */
export function programTaking(words: readonly string[]): string | null {
  const names = words.map(plain);
  if (names[0] === 'eval') return 'eval';
  const last = names.at(-1) ?? '';
  const taken = INTERPRETERS.find(({ name, option }) => option.test(last) && names.some((word) => name.test(word)));
  if (taken) return names.find((word) => taken.name.test(word))!;
  return isRemoteCommand(names) ? 'ssh' : null;
}

/** Name of the interpreter that reads a here-document as its program. Null if none does. */
export function programReading(words: readonly string[]): string | null {
  const names = words.map(plain);
  const at = names.findIndex((word) => INTERPRETERS.some(({ name }) => name.test(word)));
  if (at >= 0 && names.slice(at + 1).every((word) => word.startsWith('-'))) return names[at]!;
  return names.includes('ssh') ? 'ssh' : null;
}

/** Whether the next word stands behind the host of `ssh`, which joins all of them to one line of a shell. */
function isRemoteCommand(names: readonly string[]): boolean {
  const at = names.indexOf('ssh');
  if (at < 0) return false;
  const rest = names.slice(at + 1);
  return rest.some((word, index) => !word.startsWith('-') && !takesValue(rest[index - 1]));
}

const takesValue = (option: string | undefined): boolean =>
  option !== undefined && option.startsWith('-') && option.length === 2 && !SSH_FLAG.test(option);
