import { configure } from '../../../src/features/campaigns/pure/config/configure.js';
import { openLimits } from '../../../src/features/campaigns/pure/config/merge.js';
import type { JsonObject } from '../../../src/model/json.js';
import { fromText, sourcesIn, whyValue, whyValueLines } from '../../../src/features/campaigns/pure/config/why.js';
import { lintPresets } from '../../../src/features/campaigns/pure/settings.js';
import { isPath, pathText, readPath } from '../../../src/features/campaigns/pure/config/path.js';
import { closest } from '../../../src/model/suggest.js';
import { openWork } from '../../../src/importers/work.js';
import { expectGolden } from '../../support/golden.js';
import { read, type Said, sound, told, valueIn } from './a-config.js';

const FILE = `service:
  name: echo
  port: 8080
  tag: '1.9'
  tls: false
  address: 'http://{@service.name}:{@service.port}/'
load:
  connections: [1, 2]
  rate: null
  args: { 'x.y': 1 }
presets:
  small: { load.rate: 5 }
  nightly:
    service.port: 9090
    extends: [small, ports]
    load.connections: [8, 16]
  ports:
    service.port: 9191
    'load.args["x.y"]': 2
  tagged: { service.tag: 1.10 }
  patched:
    presets.small["load.rate"]: 7
    extends: [small]
  empty:
  map: { load.args: { 'a': 1, b: { c: [1] } } }
`;

test.each([
  ['a.b-c', ['a', 'b-c']],
  ['a."x.y"', ['a', 'x.y']],
  ['a["x.y"]', ['a', 'x.y']],
  ["a['x.y'].b", ['a', 'x.y', 'b']],
  ['a[0][-1]', ['a', 0, -1]],
  ['"a b".c', ['a b', 'c']],
  ['a["\\""]', ['a', '"']],
  ['3min._x', ['3min', '_x']],
])('given the path %s, then it is %j, and its text is the same path', (text, path) => {
  expect(readPath(text)).toEqual(path);
  expect(readPath(pathText(path))).toEqual(path);
});

test.each([
  ['', 'ends before a key', 1],
  ['a..b', 'a search in all maps', 3],
  ['a.*', 'a wildcard', 3],
  ['$.a', 'a root sign', 1],
  ['a[1:2]', 'a slice', 4],
  ['a[*]', 'a wildcard', 3],
  ['a|b', 'a union', 2],
  ['a."x', 'the quote is not closed', 3],
  ['a[0', 'the bracket is not closed', 4],
  ['a[]', 'is no part of a key', 3],
  ['a b', 'is no part of a key', 2],
  ['a.', 'ends before a key', 3],
  [`a.${'x'.repeat(600)}`, 'more than 500 characters', 501],
])('given the text %s, then it is no path', (text, why, column) => {
  const found = readPath(text);
  expect(isPath(found)).toBe(false);
  expect(found).toMatchObject({ why: expect.stringContaining(why), column });
});

const at = (said: Said, path: string): unknown => valueIn(sound(FILE, said), path);

test.each<[string, Said, string, unknown]>([
  ['nothing', {}, 'service.port', 8080],
  ['a preset, then what it extends acts on its line', { preset: ['nightly'] }, 'service.port', 9191],
  ['a preset, then lines behind extends win', { preset: ['nightly'] }, 'load.connections', [8, 16]],
  ['a preset that another extends', { preset: ['nightly'] }, 'load.rate', 5],
  ['two presets, then the last wins', { preset: ['ports', 'nightly', 'small'], set: [] }, 'load.rate', 5],
  ['apply and --preset', { apply: ['ports'], preset: ['small'] }, 'service.port', 9191],
  ['--set over a preset', { preset: ['nightly'], set: ['service.port=1', 'service.port=2'] }, 'service.port', 2],
  ['a number on a text', { preset: ['tagged'] }, 'service.tag', '1.10'],
  ['an option on a text', { set: ['service.tag=2.0'] }, 'service.tag', '2.0'],
  ['a whole number on a number with a fraction', { set: ['load.args={a: 1.5}', 'load.args.a=2'] }, 'load.args.a', 2],
  ['null on a scalar', { set: ['service.port=null'] }, 'service.port', null],
  ['a text on null', { set: ['load.rate=fast'] }, 'load.rate', 'fast'],
  ['an item of a list', { set: ['load.connections[-1]=9'] }, 'load.connections', [1, 9]],
  ['a quoted key with =', { set: ['load.args={"a=b": 1}'] }, 'load.args["a=b"]', 1],
  ['a preset that changes another', { preset: ['patched'] }, 'load.rate', 7],
  ['references, after the merge', { preset: ['ports'] }, 'service.address', 'http://echo:9191/'],
  ['a map', { preset: ['map'] }, 'load.args', { a: 1, b: { c: [1] } }],
])('given %s, then the value is right', (_, said, path, value) => expect(at(said, path)).toEqual(value));

test('given presets, then each value names its lines and the presets that led to it', () => {
  const { assignments, applied } = sound(FILE, { preset: ['nightly'], set: ['service.port=1'] }).record();
  expect(sourcesIn(assignments, 'service.port').map(({ value, from }) => [value, fromText(from)])).toEqual([
    [8080, 'config.yaml:3:3'],
    [9090, 'preset nightly (config.yaml:14:5), by --preset'],
    [9191, 'preset ports (config.yaml:18:5), which nightly extends, by --preset'],
    [1, '--set service.port=1'],
  ]);
  expect(sourcesIn(assignments, 'service.tls').map(({ from }) => fromText(from))).toEqual(['config.yaml:5:3']);
  expect(applied.map(({ path }) => path)).toEqual([
    ...['service.port', 'load.rate', 'service.port', 'load.args["x.y"]', 'load.connections'],
  ]);
});

const loopOf = (count: number): string =>
  `a: 1\npresets:\n${Array.from({ length: count }, (_, index) => `  p${index}: { extends: [p${(index + 1) % count}] }\n`).join('')}`;
const MODEL = { models: { a: 'a.json' } };
const model = (schema: object | string): Said => ({
  ...MODEL,
  files: { 'a.json': typeof schema === 'string' ? schema : JSON.stringify(schema) },
});

const BAD: readonly (readonly [name: string, text: string, said?: Said])[] = [
  ['a loop of two presets', loopOf(2), { preset: ['p0'] }],
  ['a loop of fifty presets', loopOf(50), { preset: ['p0'] }],
  ['a preset that extends itself', loopOf(1), { preset: ['p0'] }],
  ['a bare name', 'a: 1\npresets: { p: { extends: light } }\n', { preset: ['p'] }],
  ['extends: null', 'a: 1\npresets:\n  p:\n    extends:\n', { preset: ['p'] }],
  ['a null preset', FILE, { preset: ['empty'] }],
  ['an unknown preset', FILE, { preset: ['nightli'] }],
  ['an unknown preset of the release file', FILE, { apply: ['small', 'nope'] }],
  ['a preset that is a list', 'a: 1\npresets: { p: [1] }\n', { preset: ['p'] }],
  ['an unknown key', FILE, { set: ['service.prot=1', 'sevice.port=1', 'port=1', 'zzz=1'] }],
  ['an unknown key of a preset', 'a: { b: 1 }\npresets:\n  p:\n    a.c: 2\n', { preset: ['p'] }],
  ['paths that choose many values', FILE, { set: ['a..b=1', 'load.*=1', '$.a=1', 'a."x=1'] }],
  [
    'an index past the end, and on a map',
    FILE,
    { set: ['load.connections[2]=1', 'service[0]=1', 'load.connections.x=1'] },
  ],
  ['a walk through null and a scalar', FILE, { set: ['load.rate.x=1', 'service.port.x=1'] }],
  ['a map over a scalar, and a scalar over a map', FILE, { set: ['service.port={a: 1}', 'service=1'] }],
  [
    'a list over a number, over a boolean and over a text',
    FILE,
    { set: ['service.port=[1]', 'service.tls=[true]', 'service.name=[a]'] },
  ],
  ['a fraction over a whole number', FILE, { set: ['service.port=1.5'] }],
  ['a number that JavaScript rounds', 'a: 9007199254740993\nb: 1\n', { set: ['b=-9007199254740993'] }],
  ['yes on a boolean', FILE, { set: ['service.tls=yes', 'service.tls="true"', 'service.tls=1'] }],
  ['a text on a number', FILE, { set: ['service.port=http'] }],
  ['nothing to assign', FILE, { set: ['service.port', '=1'] }],
  ['a reference loop', "a: '@b.c'\nb: { c: 'x-{@d}' }\nd: '@a'\n"],
  ['a reference to itself in a map', "a: { b: '@a' }\n"],
  ['a reference to nothing', "abc: 1\nb: '@abd'\nc: '{@x..y}'\n"],
  ['a map in a text', "a: { x: 1 }\nb: 'see {@a}'\n"],
  [
    'a model that does not fit',
    'a: { n: 0, x: 1 }\n',
    model({ type: 'object', properties: { n: { type: 'number', minimum: 1 } }, additionalProperties: false }),
  ],
  [
    'keywords that no model may have',
    'a: 1\n',
    model('{\n "if": {},\n "not": {"type": "null"},\n "dependentRequired": {"a": ["b"]}\n}'),
  ],
  ['a model that is no JSON Schema', 'a: 1\n', model({ type: 'nothing' })],
  ['a model that is no JSON', 'a: 1\n', model('{"type": ')],
  ['a model of an absent path', 'b: 1\n', model({ type: 'number' })],
  ['a model that is absent', 'a: 1\n', { ...MODEL, files: { 'a.json': null as never } }],
  ['a model that refers to itself', 'a: 1\n', model({ $ref: '#' })],
  [
    'models that refer to each other',
    'a: 1\n',
    model(
      '{"allOf": [{"$ref": "#/$defs/one"}], "$defs": {\n "one": {"$ref": "#/$defs/two"},\n "two": {"oneOf": [{"$ref": "#/$defs/one"}]}}}',
    ),
  ],
  [
    'a model of 12,000 references in a row',
    'a: 1\n',
    model({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: 12_000 }, (_, at) => [`d${at}`, at < 11_999 ? { $ref: `#/$defs/d${at + 1}` } : {}]),
      ),
    }),
  ],
  ['a pattern that re2 lacks', 'a: x\n', model({ type: 'string', pattern: '(?=x)' })],
  ['a file that is a list', '- a\n'],
  ['no YAML', 'a: [\n'],
  ['a key twice', 'a: 1\na: 2\n'],
  [
    'aliases that multiply',
    `a: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefg'].map((one, at) => `${one}: &${one} [${`*${'abcdef'[at]},`.repeat(10)}]\n`).join('')}`,
  ],
  [
    'an option whose aliases multiply',
    FILE,
    {
      set: [
        `load.rate=[&a [1,1,1,1,1,1,1,1,1,1],${[...'bcdefg'].map((one, at) => `&${one} [${`*${'abcdef'[at]},`.repeat(10)}]`).join(',')}]`,
      ],
    },
  ],
  ['an option with 60 brackets', FILE, { set: [`load.rate=${'['.repeat(60)}`] }],
  [
    'references that multiply',
    `${'abcdefghijklmnopqrst'
      .split('')
      .map((one, at) => `${one}: { x: '@${'bcdefghijklmnopqrst0'[at]}', y: '@${'bcdefghijklmnopqrst0'[at]}' }\n`)
      .join('')}"0": 1\n`,
  ],
  [
    'texts that double',
    `${'abcdefghijklmnopqrstuvwxyz'
      .split('')
      .map((one, at) => `${one}: '{@${'bcdefghijklmnopqrstuvwxyz0'[at]}}{@${'bcdefghijklmnopqrstuvwxyz0'[at]}}'\n`)
      .join('')}"0": abcdefgh\n`,
  ],
  [
    'presets that extend the same ones again and again',
    `a: 1\npresets:\n${Array.from({ length: 40 }, (_, index) => `  p${index}: { extends: [p${index + 1}, p${index + 1}] }\n`).join('')}  p40: { a: 2 }\n`,
    { preset: ['p0'] },
  ],
  ['keys of the section that contradict each other', FILE, { project: 'x' }],
  ['TOPSAIL without a project', FILE, { import: 'topsail', file: 'config.yaml' }],
];

test('given bad input, then each problem has its code, its place and what to write', () => {
  expectGolden(
    'campaigns/config-bad-input.txt',
    BAD.map(([name, text, said]) => `## ${name}\n${told(text, said)}\n`).join('\n'),
  );
});

test('given a pattern, when a value matches it slowly in JavaScript, then re2 answers at once', () => {
  expect(told(`a: ${'a'.repeat(40)}!\n`, model({ type: 'string', pattern: '^(a+)+$' }))).toContain('CONFIG_MODEL');
});

test('given a model that refers to itself below a property, then each value is checked', () => {
  const tree = {
    type: 'object',
    properties: { n: { type: 'number' }, next: { $ref: '#' } },
    additionalProperties: false,
  };
  expect(told('a: { n: 1, next: { n: 2, next: { n: 3 } } }\n', model(tree))).toBe('');
  expect(told('a: { n: 1, next: { n: 2, next: { n: x } } }\n', model(tree))).toContain(
    '"a.next.next.n" does not follow',
  );
});

test('given a model with many alternatives of alternatives, then the checks are counted', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`d${at}`, { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${at + 1}` })) }]),
  );
  const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d30: { type: 'string' } } };
  expect(told('a: 1\n', model(schema))).toMatch(
    /^a.json CONFIG_TOO_LARGE: .* more than 5000000 copied values and checks by models/,
  );
});

test.each([
  ['references', `presets: { p: {} }\n${Array.from({ length: 2_000 }, (_, at) => `k${at}: '@none'\n`).join('')}`],
  [
    'keys of a preset',
    `${Array.from({ length: 2_000 }, (_, at) => `k${at}: 1\n`).join('')}presets:\n  p:\n${Array.from({ length: 500 }, (_, at) => `    none${at}: 1\n`).join('')}`,
  ],
])(
  'given many %s that lead nowhere, then 100 are told, and the first have near paths: searches have a limit',
  (_, text) => {
    const search = openWork(400_000, '', () => undefined);
    const limits = { ...openLimits((problem) => expect(problem).toBeNull()), search };
    const { problems } = configure(read(text).opened!, { preset: ['p'] }, limits);
    const near = problems.map(({ next }) => next.startsWith('Near: '));
    expect(near).toHaveLength(100);
    expect(near.lastIndexOf(true)).toBe(near.indexOf(false) - 1);
    expect(near.indexOf(false)).toBeLessThan(20);
  },
);

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
const LARGE = lines(10_000, (at) => `key${at}: 1`);
const LONG = 'n'.repeat(60);
const names = (count: number, name: string): string => `[${`${name},`.repeat(count)}]`;
const ASSIGNS = `a: null\nm: &m\n${lines(10_000, (at) => `  k${at}: 1`)}`;

test.each<[string, string, Said]>([
  ['one known path 2,000 times', LARGE, { set: Array.from({ length: 2_000 }, (_, at) => `key1=${at}`) }],
  [
    'an empty preset that is extended 10⁸ times',
    `presets:\n  e: {}\n  p: { extends: ${names(30_000, 'e')} }\n  q: { extends: ${names(5_000, 'p')} }\n`,
    { preset: ['q'] },
  ],
  [
    'a map that is assigned 9,000 times',
    `${ASSIGNS}presets:\n  v: { a: *m }\n  p: { extends: ${names(9_000, 'v')} }\n`,
    { preset: ['p'] },
  ],
  [
    'a model of 8,000 alternatives for a map of 10,000 keys',
    `a:\n${lines(10_000, (at) => `  k${at}: 1`)}`,
    model({ anyOf: Array.from({ length: 8_000 }, () => ({ type: 'object', additionalProperties: false })) }),
  ],
  [
    'a pattern for long texts',
    `t: &t ${LONG.repeat(80)}\na: ${names(2_000, '*t')}\n`,
    model({ type: 'array', items: { type: 'string', pattern: '(n{1,20}){1,20}y' } }),
  ],
])('given %s, then work ends at the limit, and a problem says so once', (_, text, said) => {
  const { problems } = read(text, said);
  expect(problems.filter(({ code }) => code === 'CONFIG_TOO_LARGE')).toHaveLength(1);
  expect(problems.length).toBeLessThan(100);
});

test.each<[string, string, Said, string]>([
  [
    '2,000 unknown paths',
    LARGE,
    { set: Array.from({ length: 2_000 }, (_, at) => `none${at}.x=1`) },
    'CONFIG_UNKNOWN_KEY',
  ],
  [
    'unknown names under extends',
    `presets:\n  p: { extends: [${lines(3_000, (at) => `${LONG}x${at},`).replaceAll('\n', '')}] }\n${lines(3_000, (at) => `  ${LONG}y${at}: {}`)}`,
    { preset: ['p'] },
    'CONFIG_PRESET_UNKNOWN',
  ],
])('given %s, then the first 100 are told, and none is taken for too large', (_, text, said, code) => {
  expect(read(text, said).problems.map((problem) => problem.code)).toEqual(Array.from({ length: 100 }, () => code));
});

test('given 2,000 wrong paths, then the first 100 are told, and the others are not read', () => {
  const { problems } = read('a: 1\n', { set: Array.from({ length: 2_000 }, () => 'a..b=1') });
  expect(problems).toHaveLength(100);
});

test('given a model with 40,000 values, then a message names five of them', () => {
  const schema = {
    type: 'object',
    additionalProperties: { enum: Array.from({ length: 40_000 }, (_, at) => `v${at}`) },
  };
  const found = told(`a:\n${lines(10_000, (at) => `  k${at}: x`)}`, model(schema));
  expect(found).toContain('expected one of v0, v1, v2, v3, v4 and 39995 more');
  expect(found.match(/CONFIG_MODEL/g)).toHaveLength(10);
});

test('given a model with more than 1,000 patterns, then it is refused', () => {
  const items = Array.from({ length: 1_001 }, (_, at) => ({ type: 'string', pattern: `x${at}` }));
  expect(told('a: x\n', model({ anyOf: items }))).toContain('more than 1000 patterns in its model');
});

test('given a word and more known words than a search compares, then none is near', () => {
  const known = Array.from({ length: 1_000 }, () => 'x'.repeat(70));
  expect(closest('n'.repeat(70), [...known, `${'n'.repeat(69)}m`])).toBeNull();
  expect(closest('n'.repeat(70), [...known.slice(0, 500), `${'n'.repeat(69)}m`])).toBe(`${'n'.repeat(69)}m`);
});

test('given 1.0, then a note says that steps read 1', () => {
  const found = sound('a: { b: 1.0 }\nc: [2.0]\npresets: { p: { a.b: 3.0 } }\n').notes();
  expect(found.map(({ code, message }) => [code, message.slice(0, 13)])).toEqual([
    ['CONFIG_FRACTION', '"a.b" is 1.0,'],
    ['CONFIG_FRACTION', '"c[0]" is 2.0'],
  ]);
});

test('given a secret, then its reference stays a text; a reference in a list is noted', () => {
  const { record, notes } = sound("a: '*$@b'\nb: x\nc: ['@b']\n");
  expect(record().document).toEqual({ a: '*$@b', b: 'x', c: ['@b'] });
  expect(notes().map(({ code, place }) => [code, place?.line])).toEqual([['CONFIG_REFERENCE_IN_LIST', 3]]);
});

const TOPSAIL = `ci_presets:
  names: null
  to_apply: metal
  variable_overrides: { gpu.count: 2 }
  metal: { extends: [base], gpu.type: null }
  base: { gpu.kind: a100, gpu.count: many }
gpu: { count: 1, type: x, kind: y }
`;
const ours = { import: 'topsail', project: 'projects/x' } as const;

test('given a TOPSAIL project, then its own presets come first, types may change, and presets are marked as applied', () => {
  const { document } = sound(TOPSAIL, { ...ours, preset: ['base'], set: ['gpu.kind=1'] }).record();
  expect(document).toMatchObject({
    gpu: { count: 'many', type: null, kind: '1' },
    ci_presets: { names: ['metal', 'base'], to_apply: [], variable_overrides: {} },
  });
});

test('given --set in a TOPSAIL project, then yes on a boolean is a mistake', () => {
  expect(told('a: true\n', { ...ours, set: ['a=yes'] })).toContain('Write true.');
});

test('given presets, when each is applied alone, then what is wrong is named once, and a null preset is no mistake', () => {
  const text = `${FILE}  broken:\n    service.prot: 1\n    extends: [gone]\n`;
  const { opened } = read(text);
  const wrong = lintPresets(opened!).filter(({ problems }) => problems.length > 0);
  expect(wrong.map(({ name, isEmpty, problems }) => [name, isEmpty, ...problems.map(({ code }) => code)])).toEqual([
    ['empty', true, 'CONFIG_PRESET_EMPTY'],
    ['broken', false, 'CONFIG_UNKNOWN_KEY', 'CONFIG_PRESET_UNKNOWN'],
  ]);
});

test('given references in a long chain, then a limit is named with its place', () => {
  const text = Array.from({ length: 2000 }, (_, at) => `a${at}: '@a${at + 1}'\n`).join('');
  const { problems } = read(`${text}a2000: 1\n`);
  expect(problems[0]).toMatchObject({ code: 'CONFIG_TOO_LARGE', place: { file: 'config.yaml' } });
});

test('given a map that many references copy, then work ends before the copies are made', () => {
  const keys = Array.from({ length: 6000 }, (_, at) => `  k${at}: 1\n`).join('');
  const copies = Array.from({ length: 3000 }, (_, at) => `r${at}: '@m'\n`).join('');
  const [problem] = read(`m:\n${keys}${copies}`).problems;
  expect(problem!.message).toBe('the configuration has more than 200000 values behind references');
});

test('given references that double what they copy, then a limit is named', () => {
  const text = Array.from({ length: 40 }, (_, at) => `a${at}: {x: '@a${at + 1}', y: '@a${at + 1}'}\n`).join('');
  expect(read(`${text}a40: 1\n`).problems.map(({ code }) => code)).toEqual(['CONFIG_TOO_LARGE']);
});

test("given a reference to null in a text, then the text is null, and in a file of TOPSAIL it is upstream's", () => {
  const text = "host: null\nurl: 'http://{@host}/'\nwhole: '@host'\n";
  expect(sound(text).record().document).toEqual({ host: null, url: null, whole: null });
  const theirs = sound(text, { import: 'topsail', project: 'projects/a' });
  expect(valueIn(theirs, 'url')).toBe('http://None/');
});

test('given references, when a person asks why, then each line tells the value behind them too', () => {
  const text = "port: 1\nhost: 'h:{@port}'\nurl: 'http://{@host}/'\npresets: { other: { port: 2 } }\n";
  const record = sound(text, { preset: ['other'] }).record() as unknown as JsonObject;
  expect(whyValueLines(whyValue(record, 'url'))).toEqual([
    'config.url is "http://h:2/"',
    '  config.yaml:3:1: "http://{@host}/"',
    '  @host is of config.yaml:2:1: "h:{@port}"',
    '  @port is of preset other (config.yaml:4:21), by --preset: 2',
  ]);
});

test.each(['presets={}', 'presets.small=null', 'presets'])('given --set %s, then --preset is named', (one) => {
  const said = told('a: 1\npresets: { small: { a: 2 } }\n', { set: [`${one}${one.includes('=') ? '' : '=[small]'}`] });
  expect(said).toMatch(/^--set \S+ CONFIG_OVERRIDE: "presets" holds presets, .*\n.*`--preset NAME`/);
});

test('given presets that use up the limit of a check, then the others are named as not checked', () => {
  const many = Array.from({ length: 5000 }, () => 'x').join(', ');
  const presets = Array.from({ length: 30 }, (_, index) => `  p${index}: { extends: [${many}] }\n`).join('');
  const found = lintPresets(read(`a: 1\npresets:\n  x: { a: 2 }\n${presets}  last: { a: 3 }\n`).opened!);
  const codes = found.map(({ problems }) => problems.map(({ code }) => code).join());
  expect([codes[0], codes.at(-1)]).toEqual(['', 'CONFIG_NOT_CHECKED']);
  expect(new Set(codes)).toEqual(new Set(['', 'CONFIG_TOO_LARGE', 'CONFIG_NOT_CHECKED']));
  expect(codes.lastIndexOf('')).toBeLessThan(codes.indexOf('CONFIG_TOO_LARGE'));
});
