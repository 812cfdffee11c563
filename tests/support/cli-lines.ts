import { commandGroups } from '../../src/cli/commands.js';
import { FEATURE_CLIS } from '../../src/features/cli.js';

const COMMANDS = commandGroups(FEATURE_CLIS).flatMap(({ commands }) => commands);

/** `slipway …` in backticks, and lines of code blocks that begin with it, without brackets
 * and without what follows `#`, `|`, `&&`, `>` or `…`. */
export const commandsIn = (page: string): readonly string[] => {
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

const hasFlag = (flags: string, word: string): boolean => flags.split(/[ ,]+/).includes(word.split('=')[0]!);

/** Whether some command takes the option. */
export const isOption = (word: string): boolean =>
  COMMANDS.some(({ options = [] }) => options.some(({ flags }) => hasFlag(flags, word)));

/** Why the command line refuses the line; null where it takes it. */
export function refusal(line: string): string | null {
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
      const option = options.find(({ flags }) => hasFlag(flags, word));
      if (option === undefined) return `${name} has no option ${word}`;
      if (option.flags.includes('<')) at++;
    }
  }
  const several = takes.some(({ name: argument }) => argument.includes('...'));
  return places > takes.length && !several ? `${name} takes ${takes.length} arguments` : null;
}
