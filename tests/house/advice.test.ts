/** @slow */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { JsonObject } from '../../src/model/json.js';
import { Fleet } from '../../src/model/schema/fleet.js';
import { Policy } from '../../src/model/schema/policy.js';
import { Platforms, Profile, Queues } from '../../src/model/schema/profile.js';
import { releaseFileSchema } from '../../src/plan/reference/json-schema.js';
import { isOption, refusal } from '../support/cli-lines.js';
import { anywhere, below, type SchemaNode, values } from '../support/schema-keys.js';

/** docs/reference/errors.md has every `message` and `next` of every errors.ts; tests/house/reference.test.ts compares them. */
const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'errors.md'), 'utf8');

const inputSchema = (schema: z.ZodType): SchemaNode =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
const SCHEMAS = [releaseFileSchema(), ...[Profile, Queues, Platforms, Fleet, Policy].map(inputSchema)];
const VALUES = values(SCHEMAS);

/** Spans of the catalogue by code, without the classes. */
function spansByCode(page: string): readonly (readonly [code: string, span: string])[] {
  return page
    .split(/^### /m)
    .slice(1)
    .flatMap((entry) => {
      const [code = '', ...lines] = entry.split('\n');
      const text = lines.join('\n').replace(/^\s*`[a-z]+`(?: or `[a-z]+`)*/, '');
      return [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => [code, span!] as const);
    });
}

/** Words in backticks that are no key and no command of ours, each with its reason. */
const OTHER_WORDS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(apt-cache|apt-get|aws|chmod|curl|devpi|dmesg|docker|git|gpg|node|npm|openssl|pip|pip-compile|pyenv|spack|ssh-add|ssh-keygen|tar|temporal|uv)\b/,
    'a line for another program',
  ],
  [/^(--input \S+|--workflow-id <\w+>|--type release)/, 'options of `temporal workflow start`'],
  [/^(wait|exit|fail)$/, 'values of `slipway run --on-hold`'],
  [/^(engine|by)$/, 'fields of the input of a release workflow, which `slipway run` fills'],
  [/^(\*\*|\{out\}\/)$/, 'parts of a pattern'],
  [/^\w+\/\w+(\[\w+=\w+\])?$|^rehearsal\/NAME\/VERSION$/, 'the form of a name of a step or a run'],
  [/^collect: /, 'a step of any name'],
  [/^<kind>$/, 'a class that depends on the caller'],
  [/^<queue>: /, 'a queue of any name'],
  [/^SLIPWAY_HOME$/, 'a variable of the environment'],
  [/^maven\.deploy\.skip$/, 'a property of Maven'],
  [/^Cython<3$/, 'a requirement of pip'],
  [/^FROM \$\{BASE\}$/, 'a line of a Dockerfile'],
  [/^'native\/\{platform\}'$/, 'a value of `natives:`'],
  [/^quarantine\/$/, 'a folder of the store'],
  [/^extends$|^extends: \[(NAME|<\w+>)\]$/, 'a key of a preset'],
  [/^(type|null)$/, 'a key of a JSON Schema, a value of YAML'],
  [/^<key>$/, 'a key that depends on the caller'],
  [/^(is defined|default\(…\))$/, 'words of a template'],
];

/** Why nobody can type the span; null where somebody can. */
function fault(span: string): string | null {
  if (span.startsWith('slipway ')) return refusal(span);
  if (OTHER_WORDS.some(([pattern]) => pattern.test(span))) return null;
  if (span.startsWith('-')) return isOption(span.split(' ')[0]!) ? null : `no command takes ${span}`;
  const key = unknownKey(span);
  return key === null ? null : `no schema has the key ${key}`;
}

/** The first key of a span that no schema has. `a.b`, `a:` and `a: { b: c }` are read; null where all are known. */
function unknownKey(span: string): string | null {
  const path = /^[a-z]\w*(?:\.[a-z]\w*)*(?=:?$)/.exec(span)?.[0];
  if (path !== undefined) {
    if (VALUES.has(path)) return null;
    const [first = '', ...rest] = path.split('.');
    return unknownBelow(
      first,
      rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), null),
      anywhere(SCHEMAS, first),
    );
  }
  const value = parsed(span);
  if (typeof value !== 'object' || value === null) return span;
  const [[key, rest] = ['', null]] = Object.entries(value);
  return unknownBelow(key, rest, anywhere(SCHEMAS, key));
}

/** The span read as YAML; the span itself where it is none. */
function parsed(span: string): unknown {
  try {
    return parse(span) as unknown;
  } catch {
    return span;
  }
}

function unknownBelow(key: string, value: unknown, nodes: readonly SchemaNode[]): string | null {
  if (nodes.length === 0) return key;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const inner = Object.entries(value).map(([name, part]) => unknownBelow(name, part, below(nodes, name)));
  return inner.find((one) => one !== null) ?? null;
}

const faultsIn = (page: string): readonly string[] =>
  spansByCode(page).flatMap(([code, span]) => {
    const because = fault(span);
    return because === null ? [] : [`${code}: \`${span}\`: ${because}`];
  });

test('given an error message, when it names a key or a command, then a schema or the command line has it', () => {
  expect(faultsIn(PAGE)).toEqual([]);
});

test('given the error catalogue, then more than 200 code spans are checked', () => {
  expect(spansByCode(PAGE).length).toBeGreaterThan(200);
});

test('given the list of accepted other words, then each is used by a message', () => {
  const spans = spansByCode(PAGE).map(([, span]) => span);
  const unused = OTHER_WORDS.filter(([pattern]) => !spans.some((span) => pattern.test(span)));
  expect(unused.map(([, reason]) => reason)).toEqual([]);
});

test.each([
  ['deadline', 'no schema has the key deadline'],
  ['natives.wiat', 'no schema has the key wiat'],
  ['release: { version: { file: x, mtach: y } }', 'no schema has the key mtach'],
  ['nothing here', 'no schema has the key nothing here'],
  ['slipway undo STEP', 'no command undo'],
  ['slipway run FILE --now', 'run has no option --now'],
  ['--now', 'no command takes --now'],
])('given the advice `%s`, then it is refused: %s', (span, because) => {
  expect(faultsIn(`### A_CODE\n\n\`config\` a message\n\nNext: type \`${span}\`.`)).toEqual([
    `A_CODE: \`${span}\`: ${because}`,
  ]);
});

test.each(['timeout', 'timeout:', 'natives.wait', 'env: { ANY_NAME: value }', 'unserved: drop', '--profile local'])(
  'given the advice `%s`, then it is accepted',
  (span) => {
    expect(fault(span)).toBeNull();
  },
);

/** Names that keep their capital letter. */
const NAMES = ['Debian', 'HTTP', 'Maven', 'POM', 'Python', 'SLIPWAY', 'Slipway', 'Spack', 'Temporal'];

test('given every message, then it starts in lower case or with a proper name', () => {
  const messages = [...PAGE.matchAll(/^`[a-z]+`(?: or `[a-z]+`)* (.*)$/gm)].map(([, text]) => text!);
  expect(messages.length).toBeGreaterThan(400);
  const first = messages.map((text) => /^[A-Z][A-Za-z]*/.exec(text)?.[0] ?? '');
  expect(first.filter((word) => word !== '' && !NAMES.includes(word))).toEqual([]);
});
