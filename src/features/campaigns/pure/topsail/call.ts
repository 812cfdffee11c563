import type { Complain } from '../../../../importers/file-problem.js';
import { isDict } from '../../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../../model/failure.js';
import type { Json } from '../../../../model/json.js';
import type { Call } from '../../schemas/config.js';
import { problems } from './errors.js';
import { type Dict, jsonOf, shownArgument, type Value, valueOf } from './template/values.js';
import type { Toolbox } from './toolbox.js';

/** A call of a command with its arguments. */
export interface Called {
  /** `sutest/cluster set_scale` */
  readonly key: string;
  readonly call: string;
  readonly arguments: Dict;
  /** Place of its arguments in the template. */
  readonly origin: SourceLocation;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const AT_RUNTIME = 'SET_AT_RUNTIME';

/** Looks the arguments of a call up; those of `extra` win, and keys that begin with "_" are dropped. Null: it has problems.
 * Source: upstream's projects/core/toolbox/from_config.py. */
export function lookUp(
  { call, prefix, suffix, extra }: Call,
  at: SourceLocation | undefined,
  { commands, place }: Toolbox,
  complain: Complain,
): Called | null {
  const key = `${prefix === undefined ? '' : `${prefix}/`}${call}${suffix === undefined ? '' : `/${suffix}`}`;
  const found = commands.keys.get(key);
  if (found === undefined) {
    complain(problems.unknown(at, key, [...commands.keys.keys()]));
    return null;
  }
  const { value } = found;
  const isEmpty = value.kind === 'scalar' && value.type === 'null';
  if (!isEmpty && !isDict(value)) {
    complain(problems.noMap(place(value.at), key));
    return null;
  }
  const keys = isDict(value) ? value.keys : new Map<string, never>();
  const own = [...keys].map(([name, one]) => [name, valueOf(one.value)] as const);
  const all = Object.entries({ ...Object.fromEntries(own), ...extra } as Dict).filter(
    ([name]) => !name.startsWith('_'),
  );
  const placeOf = (name: string): SourceLocation | undefined =>
    Object.hasOwn(extra, name) ? at : place(keys.get(name)?.at ?? found.at);
  const variables = new Set<string>();
  let isWhole = true;
  for (const [name, one] of all) {
    const variable = name.toUpperCase();
    const isNamed = NAME.test(name) && !variables.has(variable);
    variables.add(variable);
    if (!isNamed) complain(problems.argument(placeOf(name), name));
    if (one === AT_RUNTIME) complain(problems.notSet(placeOf(name), name, key, at !== undefined));
    isWhole &&= isNamed && one !== AT_RUNTIME;
  }
  return isWhole ? { key, call, arguments: Object.fromEntries(all), origin: place(found.at) } : null;
}

/** Returns the line of a call and its environment. A value is a variable of the environment, and no part of the line. A text that begins with a
 * variable that the template refers to gets its value when the line runs.
 * @param own names of arguments whose texts may have words of the release file */
export function lineOf(
  commands: string,
  { call, arguments: args }: Called,
  { references }: Pick<Toolbox, 'references'>,
  own: readonly string[] = [],
): { readonly run: string; readonly env: Readonly<Record<string, string>> } {
  const [group = '', command = ''] = call.split(' ');
  const env: Record<string, string> = {};
  const all: string[] = [];
  const words = Object.entries(args).map(([name, value]) => {
    const [variable, isOwn] = [variableOf(name), own.includes(name)];
    const { refers, rest } = isOwn && isFilled(value) ? { refers: '', rest: value } : wordOf(value, references);
    all.push(`"${name}":${isOwn ? JSON.stringify(jsonOf(value)) : wordlessJson(jsonOf(value))}`);
    env[variable] = isOwn ? rest : withoutWords(rest);
    return `--${name}="${refers}\${${variable}}"`;
  });
  env['SLIPWAY_ARGS'] = `{${all.join(',')}}`;
  const said: Readonly<Record<string, string>> = { group, command, args: words.join(' ') };
  return { run: commands.replace(/\{(group|command|args)\}/g, (_, word: string) => said[word]!), env };
}

export const variableOf = (name: string): string => `SLIPWAY_ARG_${name.toUpperCase()}`;

/** The variable of the environment with which an argument begins, as the line names it, and the rest of its text. */
export function wordOf(
  value: Value,
  references: Toolbox['references'],
): { readonly refers: string; readonly rest: string } {
  const text = shownArgument(value);
  const name = [...references].find((one) => text.startsWith(one) && !/^\w/.test(text.slice(one.length)));
  return name === undefined
    ? { refers: '', rest: text }
    : { refers: `\${${name.slice(1)}}`, rest: text.slice(name.length) };
}

const isFilled = (value: Value): value is string =>
  typeof value === 'string' && /(?<![{$])\{(python\.)?[a-z]\w*\}(?!\})/.test(value);

/** Escapes what would be a word of the release file, such as {version}: a value stays as it is. */
export const withoutWords = (text: string): string =>
  text.replaceAll(/(?<!\$)\{(config\.[^{}\n]*|python\.[a-z]+|[a-z][a-z0-9_]*)\}/g, '{{$1}}');

/** JSON in which no brace begins a word of the release file. */
export const wordlessJson = (value: Json): string => JSON.stringify(value).replaceAll(/\{(?=[a-z])/g, '\\u007b');
