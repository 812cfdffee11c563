import type { Problem } from '../../model/failure.js';
import { config, shown, type Spot } from '../errors.js';
import type { Misplaced, ShellText } from './line.js';

/** Problems of a shell line's placeholders, without repetition. */
export const shellProblems = (
  { misplaced, open }: Pick<ShellText, 'misplaced' | 'open'>,
  spot: Spot,
): readonly Problem[] => [
  ...misplaced.map((one) => problemOf(one, spot)),
  ...(open === null ? [] : [shellLineOpen(spot, open)]),
];

function problemOf(one: Misplaced, spot: Spot): Problem {
  switch (one.why) {
    case 'single':
      return inQuotes(spot, one, 'in single quotes, or in a here-document with a quoted delimiter');
    case 'arithmetic':
      return inQuotes(spot, one, 'in $((…)), where a shell computes what it is given');
    case 'program':
      return inProgram(spot, one, one.program);
    case 'option':
      return isOption(spot, one, one.value);
    default:
      return one satisfies never;
  }
}

type Named = Pick<Misplaced, 'word' | 'variable'>;

const ofEnv = (word: string): string => `a variable that \`env: { NAME: '{${word}}' }\` makes`;

const inQuotes = (spot: Spot, { word, variable }: Named, where: string): Problem =>
  config(
    spot,
    'PLACEHOLDER_IN_QUOTES',
    `{${word}} is ${where}: the shell gets values as variables, and reads no variable there safely`,
    `Write {${word}} in double quotes or without quotes. A program that the line starts also finds the value in its environment, as ${variable ?? ofEnv(word)}.`,
  );

const inProgram = (spot: Spot, { word, variable }: Named, program: string): Problem =>
  config(
    spot,
    'PLACEHOLDER_IN_PROGRAM',
    `{${word}} is a part of the text that ${program} runs: its value would run as a command`,
    `Let that text read ${variable === null ? ofEnv(word) : `the variable ${variable} of its environment, "$${variable}" in a shell`}; or pass {${word}} as an argument behind the text.`,
  );

const isOption = (spot: Spot, { word, variable }: Named, value: string): Problem =>
  config(
    spot,
    'PLACEHOLDER_IS_OPTION',
    `{${word}} is ${shown(value)} here: a command would read it as an option`,
    `Rename it, or begin the word with other text: ./{${word}}, --name={${word}}. ${variable === null ? `${ofEnv(word)} holds it, too` : `${variable} holds the value, too`}.`,
  );

const shellLineOpen = (spot: Spot, open: string): Problem =>
  config(
    spot,
    'SHELL_LINE_OPEN',
    `the line does not close ${JSON.stringify(open)}, so nothing says how the shell reads its placeholders`,
    'Close it; sh -n shows where a shell stumbles.',
  );
