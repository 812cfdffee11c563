import type { Axes } from '../../model/ids.js';
import type { Env } from '../../model/params.js';
import { variableOf } from '../../model/shell-variables.js';
import { isSetting } from '../text.js';
import type { Placeholder } from './frame.js';
import { scanShell } from './scan.js';

/** A placeholder at a place where the line may not have it. `variable`: null for a setting, which no environment has by itself. */
export type Misplaced = { readonly word: string; readonly variable: string | null } & (
  | { readonly why: 'single' | 'arithmetic' }
  /** The program would parse the value as its own code. */
  | { readonly why: 'program'; readonly program: string }
  | { readonly why: 'option'; readonly value: string }
);

export interface Variables {
  readonly words: Readonly<Record<string, string>>;
  /** Words whose value only a worker knows. */
  readonly late: readonly string[];
  /** Words whose value comes from the release file. */
  readonly axes: Axes;
  /** First part of words that are settings. Undefined: none are. */
  readonly first?: string | undefined;
}

export interface ShellText {
  readonly line: string;
  /** Values that the line needs in its environment, by variable. */
  readonly vars: Env;
  readonly unknown: readonly string[];
  readonly misplaced: readonly Misplaced[];
  /** The unclosed opening. Null also for a line without placeholders, whose errors the shell reports. */
  readonly open: string | null;
}

/** Most lines have no placeholder and no variable of ours. */
const NAMES_ONE = /\{|SLIPWAY_/;

/** Replaces placeholders of a line for `sh` by quoted variables, so that the shell never parses a value. */
export function shellText(text: string, variables: Variables): ShellText {
  if (!NAMES_ONE.test(text)) return { line: text, vars: {}, unknown: [], misplaced: [], open: null };
  const { placeholders, open } = scanShell(text, variables.first);
  const known = placeholders.filter(({ word }) => isKnown(word, variables));
  const asked = placeholders.filter(({ quoting }) => quoting !== 'literal');
  const named = [...asked.map(({ word }) => word), ...namedIn(text, variables)];
  const pairs = named.flatMap((word) => {
    const value = variables.words[word];
    return value === undefined ? [] : [[nameOf(word, variables), value] as const];
  });
  return {
    line: replaced(text, placeholders, variables),
    vars: Object.fromEntries(pairs),
    unknown: asked.filter(({ word }) => !isKnown(word, variables)).map(({ word }) => word),
    misplaced: known.flatMap((one) => misplaced(one, variables)),
    open: asked.length === 0 ? null : open,
  };
}

/** An axis gets a prefix, so that an axis named `version` hides no other variable. */
const nameOf = (word: string, { axes }: Variables): string =>
  variableOf(Object.hasOwn(axes, word) ? `axis_${word}` : word);

const isKnown = (word: string, { words, late }: Variables): boolean =>
  Object.hasOwn(words, word) || late.includes(word);

/** Words whose variable the line names itself, as in a program's code. */
function namedIn(text: string, variables: Variables): readonly string[] {
  const names = new Set(text.match(/\bSLIPWAY_[A-Z0-9_]+/g));
  return Object.keys(variables.words).filter((word) => names.has(nameOf(word, variables)));
}

function replaced(text: string, placeholders: readonly Placeholder[], variables: Variables): string {
  let line = '';
  let done = 0;
  for (const { word, from, to, quoting } of placeholders) {
    const variable = `\${${nameOf(word, variables)}}`;
    const quoted = quoting === 'literal' ? `{${word}}` : quoting === 'bare' ? `"${variable}"` : variable;
    line +=
      text.slice(done, from) + (quoting === 'literal' || isKnown(word, variables) ? quoted : text.slice(from, to));
    done = to;
  }
  return line + text.slice(done);
}

function misplaced({ word, quoting, program, first }: Placeholder, variables: Variables): readonly Misplaced[] {
  const variable = isSetting(word) ? null : nameOf(word, variables);
  const value = variables.words[word] ?? '';
  if (quoting === 'literal') return [];
  if (quoting !== 'bare' && quoting !== 'double') return [{ word, variable, why: quoting }];
  if (program !== null) return [{ word, variable, why: 'program', program }];
  const isOption = first && value.startsWith('-') && !Object.hasOwn(variables.axes, word);
  return isOption ? [{ word, variable, why: 'option', value }] : [];
}
