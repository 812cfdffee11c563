import type { z } from 'zod';
import type { Problem } from '../../model/failure.js';
import { problems, shown, type Path } from '../errors.js';
import { didYouMean } from '../../model/suggest.js';
import { SECRET_IS_NAMED } from '../../model/schema/scalars.js';
import type { Source } from './document.js';

type Issue = z.core.$ZodIssue;

/** Converts issues of a schema to problems with their place in the file. */
export function toProblems(issues: readonly Issue[], source: Source, schema: z.ZodType): Problem[] {
  return issues.filter((issue) => !isEcho(issue, issues)).flatMap((issue) => one(issue, [], source, schema));
}

/** An inexact number is also above the schema's limit. */
const isEcho = (issue: Issue, all: readonly Issue[]): boolean =>
  issue.code === 'too_big' &&
  all.some(
    (other) => other.code === 'too_big' && other !== issue && other.maximum < issue.maximum && samePath(other, issue),
  );
const samePath = (a: Issue, b: Issue): boolean => a.path.join('\0') === b.path.join('\0');

function one(issue: Issue, above: Path, source: Source, schema: z.ZodType): Problem[] {
  const path = [...above, ...(issue.path as Path)];
  const value = valueAt(source.value, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], source, keysAt(schema, path, value)));
    case 'invalid_union':
      if (issue.errors.length === 0) return [problems.wrongValue(source.at(path), `${shown(value)}: ${issue.message}`)];
      return best(issue.errors, value).flatMap((inner) => one(inner, path, source, schema));
    case 'invalid_key':
      return [
        problems.wrongValue(
          source.at(path, 'key'),
          `${shown(path.at(-1))}: ${issue.issues[0]?.message ?? issue.message}`,
        ),
      ];
    case 'invalid_type':
      return [wrongType(issue.expected, path, value, source)];
    case 'invalid_value':
      return [wrongChoice(issue.values, path, value, source)];
    default:
      return [
        problems.wrongValue(
          source.at(path),
          value === undefined || isSecret(path) || issue.message === SECRET_IS_NAMED
            ? issue.message
            : `${shown(value)}: ${issue.message}`,
        ),
      ];
  }
}

/** Keys whose values may be secrets. Problems are written to logs. */
const SECRETS: readonly (string | number | undefined)[] = ['password', 'passphrase', 'secret', 'sign', 'token'];
const isSecret = (path: Path): boolean =>
  SECRETS.includes(path.at(-1)) || (['sign', 'attest'].includes(String(path.at(-2))) && path.at(-1) === 'key');

function unknownKey(path: Path, source: Source, known: readonly string[]): Problem {
  const key = String(path.at(-1));
  return problems.unknownKey(source.at(path, 'key'), key, known);
}

function wrongType(expected: string, path: Path, value: unknown, source: Source): Problem {
  if (value === undefined) return problems.missingKey(source.at(path.slice(0, -1)), String(path.at(-1)));
  if (isSecret(path)) return problems.wrongValue(source.at(path), SECRET_IS_NAMED);
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return notAText(path, value, source);
  if (path.length === 2 && path[1] === 'import')
    return problems.needsThat(
      source.at(path, 'key'),
      'an import is an entry, and has a name',
      `Write \`${path[0]}: { NAME: { import: … } }\`.`,
    );
  return problems.wrongValue(
    source.at(path),
    `expected ${WORDS[expected] ?? expected}, found ${value === null ? 'nothing' : typeof value === 'number' ? source.typed(path) : shown(value)}`,
  );
}

/** YAML reads 3.10 as a number and on as a boolean. The problem shows the quoted form. */
function notAText(path: Path, value: number | boolean, source: Source): Problem {
  const spot = source.at(path);
  const typed = source.typed(path);
  const key = path.findLast((part) => typeof part === 'string');
  if (key === 'timeout' || key === 'wait' || key === 'atMost') return problems.noUnit(spot, typed);
  if (key === 'pythons' || key === 'python' || path.at(-3) === 'for') return problems.notATag(spot, typed);
  return problems.quoteIt(spot, typed, typeof value === 'number' ? 'a number' : 'true or false');
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of names',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
};

function wrongChoice(values: readonly unknown[], path: Path, value: unknown, source: Source): Problem {
  if (value === undefined) return problems.missingKey(source.at(path.slice(0, -1)), String(path.at(-1)));
  const hint = typeof value === 'string' ? didYouMean(value, values.map(String)) : '';
  return problems.wrongValue(source.at(path), `${shown(value)} is none of ${values.map(shown).join(', ')}${hint}`);
}

/** Returns the issues of the union branch that the author most likely meant. */
function best(branches: readonly (readonly Issue[])[], value: unknown): readonly Issue[] {
  const cost = (issues: readonly Issue[]): number =>
    issues.reduce((sum, issue) => {
      const wrongShape = issue.path.length === 0 && issue.code === 'invalid_type';
      const scalar = value === null || typeof value !== 'object';
      return (
        sum +
        (wrongShape
          ? scalar && issue.expected === 'string'
            ? 1
            : 100
          : issue.code === 'unrecognized_keys'
            ? 3 * issue.keys.length
            : 1)
      );
    }, 0);
  return [...branches].sort((a, b) => cost(a) - cost(b))[0] ?? [];
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (at !== null && typeof at === 'object' ? (at as Record<string | number, unknown>)[key] : undefined),
    value,
  );
}

interface Inner {
  readonly def: {
    readonly innerType?: z.ZodType;
    readonly keyType?: z.ZodType;
    readonly valueType?: z.ZodType;
    readonly entries?: Readonly<Record<string, string>>;
    readonly element?: z.ZodType;
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly options?: readonly z.ZodType[];
    readonly in?: z.ZodType;
  };
}

/** Returns the keys that a schema has at a path, for "did you mean". */
export function keysAt(schema: z.ZodType, path: Path, value: unknown): readonly string[] {
  const { def } = schema as unknown as Inner;
  const inner = def.innerType ?? def.in;
  if (inner) return keysAt(inner, path, value);
  if (def.options) return def.options.flatMap((option) => keysAt(option, path, value));
  if (path.length === 0) return Object.keys(def.shape ?? (def.keyType as Inner | undefined)?.def.entries ?? {});
  const next = def.shape ? def.shape[String(path[0])] : (def.valueType ?? def.element);
  return next ? keysAt(next, path.slice(1), value) : [];
}
