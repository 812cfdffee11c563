import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands.js';

/** Who is called in the night types what stands here. */
const DOCS = join(__dirname, '..', '..', 'docs');
const read = (name: string): string => readFileSync(join(DOCS, name), 'utf8');
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith('.md'));

/** `slipway …` in backticks, and lines of code blocks that begin with it, without brackets
 * and without what follows `#`, `|`, `&&`, `>` or `…`. */
const commandsIn = (page: string): readonly string[] => {
  const spans = [...page.matchAll(/`(slipway [^`]+)`/g)].map(([, text]) => text!);
  const lines = [...page.matchAll(/^(?:\$ )?(slipway .*)$/gm)].map(([, text]) => text!);
  return [
    ...new Set(
      [...spans, ...lines].map((text) =>
        text
          .split(/ +(?:#|\||&&|>|…|→)/)[0]!
          .replaceAll(/[[\]]/g, '')
          .trim(),
      ),
    ),
  ];
};

/** Words as a shell takes them apart. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/'[^']*'|"[^"]*"|[^\s;,]+/g)].map(([word]) => word.replace(/[.:]$/, ''));

/** What the command line would refuse, or null. */
function refusal(line: string): string | null {
  const [, name, ...rest] = words(line);
  if (name === undefined || name.startsWith('-')) return null;
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) return `no command ${name}`;
  const { options = [], arguments: takes = [] } = command;
  let places = 0;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]!;
    if (!word.startsWith('-')) places++;
    else {
      const option = options.find(({ flags }) => flags.split(/[ ,]+/).includes(word.split('=')[0]!));
      if (option === undefined) return `${name} has no option ${word}`;
      if (option.flags.includes('<')) at++;
    }
  }
  return places > takes.length ? `${name} takes ${takes.length} arguments` : null;
}

test.each(PAGES)('every command in %s is one that the command line takes', (page) => {
  const refused = commandsIn(read(page)).flatMap((line) => refusal(line) ?? []);
  expect(refused).toEqual([]);
});

test('a command that is none, an option that is none and a word too much are found', () => {
  expect(commandsIn('`slipway undo STEP` and\n$ slipway run FILE --now   # at once\n')).toEqual([
    'slipway undo STEP',
    'slipway run FILE --now',
  ]);
  expect(['slipway undo STEP', 'slipway run FILE --now', 'slipway doctor twice'].map(refusal)).toEqual([
    'no command undo',
    'run has no option --now',
    'doctor takes 0 arguments',
  ]);
  expect(refusal("slipway retry STEP --reason 'a b c'")).toBeNull();
});

test('every code in the runbook is one of the reference', () => {
  const codes = new Set(read('runbook.md').match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g));
  const known = read('reference/errors.md');
  expect([...codes].filter((code) => !known.includes(code))).toEqual([]);
  expect(codes.size).toBeGreaterThan(5);
});
