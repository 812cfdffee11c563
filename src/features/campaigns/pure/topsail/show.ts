import { readDoc } from '../../../../importers/pyyaml/read.js';
import { fail, placed, type Problem, type SourceLocation } from '../../../../model/failure.js';
import type { Json } from '../../../../model/json.js';
import { lineOf, variableOf, wordOf, type Called } from './call.js';
import { problems } from './errors.js';
import { jsonOf, shownArgument, valueOf } from './template/values.js';
import type { Toolbox } from './toolbox.js';

/** Reads `--extra k=v`, whose values are YAML. Throws every problem at once. */
export function readExtra(texts: readonly string[]): Readonly<Record<string, Json>> {
  const found: Problem[] = [];
  const pairs = texts.map((text): readonly [string, Json] => {
    const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(text) ?? [];
    if (!text.includes('=')) found.push(problems.argument(undefined, text));
    const doc = readDoc(value, `--extra ${name}`, (problem) => found.push(problem));
    return [name, doc === null ? null : jsonOf(valueOf(doc.tree))];
  });
  if (found.length > 0) throw fail(found);
  return Object.fromEntries(pairs);
}

/** A call for people and programs. */
export interface CallView {
  readonly key: string;
  /** Place of its arguments in the template. */
  readonly origin: SourceLocation;
  readonly arguments: Json;
  /** The line of the shell with the values. */
  readonly line: string;
  /** Each argument as the toolbox gets it. */
  readonly texts: readonly (readonly [name: string, text: string])[];
}

export function callView(called: Called, commands: string, toolbox: Toolbox): CallView {
  const args = Object.entries(called.arguments);
  const rests = new Map(args.map(([name, value]) => [variableOf(name), wordOf(value, toolbox.references).rest]));
  const { run } = lineOf(commands, called, toolbox);
  return {
    ...{ key: called.key, origin: called.origin, arguments: jsonOf(called.arguments) },
    line: run.replaceAll(/\$\{(SLIPWAY_ARG_\w+)\}/g, (_, name: string) => quotable(rests.get(name) ?? '')),
    texts: args.map(([name, value]) => [name, shownArgument(value)] as const),
  };
}

export const callLines = ({ key, origin, texts, line }: CallView): readonly string[] => {
  const width = Math.max(0, ...texts.map(([name]) => name.length));
  return [`${key}  ${placed(origin)}`, ...texts.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`), '', line];
};

/** A text inside double quotes of a shell. */
const quotable = (text: string): string => text.replaceAll(/["$`\\]/g, '\\$&');
