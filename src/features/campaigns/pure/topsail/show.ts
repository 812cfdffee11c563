import { readDoc } from '../../../../importers/pyyaml/read.js';
import { placed, type Complain } from '../../../../importers/file-problem.js';
import type { Json } from '../../../../model/json.js';
import { lineOf, variableOf, wordOf, type Called } from './call.js';
import { problems } from './errors.js';
import { jsonOf, shownArgument, valueOf } from './template/python.js';
import type { Toolbox } from './toolbox.js';

/** Reads `--extra k=v`, whose values are YAML. */
export function readExtra(texts: readonly string[], complain: Complain): Readonly<Record<string, Json>> {
  const pairs = texts.map((text): readonly [string, Json] => {
    const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(text) ?? [];
    if (!text.includes('=')) complain(problems.argument(undefined, text));
    const doc = readDoc(value, `--extra ${name}`, complain);
    return [name, doc === null ? null : jsonOf(valueOf(doc.tree))];
  });
  return Object.fromEntries(pairs);
}

/** Lines of `slipway config call`: place, arguments as Python has them, and the line of the shell with their values. */
export function callLines(called: Called, commands: string, toolbox: Toolbox): readonly string[] {
  const args = Object.entries(called.arguments);
  const width = Math.max(0, ...args.map(([name]) => name.length));
  const rests = new Map(args.map(([name, value]) => [variableOf(name), wordOf(value, toolbox.references).rest]));
  const { run } = lineOf(commands, called, toolbox);
  const line = run.replaceAll(/\$\{(SLIPWAY_ARG_\w+)\}/g, (_, name: string) => quotable(rests.get(name) ?? ''));
  const values = args.map(([name, value]) => `  ${name.padEnd(width)}  ${shownArgument(value)}`);
  return [`${called.key}  ${placed(called.origin)}`, ...values, '', line];
}

/** A text inside double quotes of a shell. */
const quotable = (text: string): string => text.replaceAll(/["$`\\]/g, '\\$&');
