import type { Depset } from './depset.js';

/** Options that the upstream tool always passes. */
const USUAL = [
  '--no-header',
  '--generate-hashes',
  '--index-strategy unsafe-best-match',
  '--no-strip-markers',
  '--emit-index-url',
  '--emit-find-links',
];

const words = (flags: readonly string[]): readonly string[] =>
  flags.flatMap((flag) => flag.split(/\s+/)).filter(Boolean);

/** Options of a depset, one an entry. An overridden one goes with the word behind it, whatever that is: so it is upstream. */
export function optionsOf({ setuptools, override, append }: Depset): readonly string[] {
  const usual = words([...USUAL, ...(setuptools ? [] : ['--unsafe-package setuptools'])]);
  const gone = new Set(override.filter((flag) => flag.startsWith('--')).map((flag) => flag.split(/\s+/)[0]));
  const kept = usual.filter((word, index) => !gone.has(word) && !(index > 0 && gone.has(usual[index - 1])));
  return paired([...kept, ...words(override), ...words(append)]);
}

/** `['--index', 'x', '--quiet']` → `['--index x', '--quiet']`. */
function paired(all: readonly string[]): readonly string[] {
  const options: string[] = [];
  for (const word of all) {
    const last = options.at(-1);
    if (word.startsWith('-') || last === undefined || /[\s=]/.test(last)) options.push(word);
    else options[options.length - 1] = `${last} ${word}`;
  }
  return options;
}

/** `cp311` for `--python-version=3.11`; null where no option says it. */
export function pythonOf(options: readonly string[]): string | null {
  const said = options.map((option) => /^--python-version[=\s]3\.(\d+)/.exec(option)?.[1]).findLast(Boolean);
  return said === undefined ? null : `cp3${said}`;
}
