import { type Command } from '../../../src/model/schema/sections/builds.js';
import { callLines, readExtra } from '../../../src/features/campaigns/pure/topsail/show.js';
import { ofCampaigns, settled, told } from './toolbox.js';

const CONFIG = `
name: echo
count: 3
size: 2.0
rate: null
words: [a, b]
secrets: { env_key: SECRET_PATH }
presets:
  other: { name: other }
  broken: { words: [x] }
`;
const TEMPLATE = `
{% set secrets_location = false | or_env(secrets.env_key) %}
driver/cluster set_scale:
  name: {{ name }}
  scale: SET_AT_RUNTIME
  spot: {{ count > 2 }}
  _note: {{ count }}
load run/fast:
  file: {{ secrets_location }}/token
  size: {{ size }}
  rate: {{ rate }}
  text: "{{ name }}, '{out}' {version} $HOME $(id) \`id\` \\" ;"
  list: {{ words }}
  second: {{ words[1] }}
load empty:
load list: [1]
load quoted:
  a: "1"
  b: "None"
  c: "1.10"
  d: "[x]"
  e: "5 "
  f: "5 # five"
  g: "- 5"
  h: b'x'
  i: "four # five"
  j: "..."
  k: "\ufb01"
load plain:
  a: 4.14.nightly
  b: release-4.14
  c: http://h/#x
  d: a b
  e: -v
  f: true-ish
`;
const FILES = { 'config.yaml': CONFIG, 'command_args.yml.j2': TEMPLATE };
const entry = (keys: string): string => `config: {}\nsteps:\n  one: { ${keys} }\n`;
const lineOf = (keys: string, files = FILES, given = {}): Pick<Command, 'run' | 'env'> => {
  const found = settled(entry(keys), files, given);
  expect(told(found)).toEqual([]);
  const { run, env } = found.file.content.steps['one'] as Command;
  return { run, env };
};

test('given a call, when its line is made, then arguments are variables, extra wins, and keys with _ are dropped', () => {
  const call =
    "call: 'cluster set_scale', prefix: driver, extra: { scale: 4, name: x }, env: { A: b }, needs: [source]";
  expect(lineOf(call)).toEqual({
    run: './run_toolbox.py cluster set_scale --name="${SLIPWAY_ARG_NAME}" --scale="${SLIPWAY_ARG_SCALE}" --spot="${SLIPWAY_ARG_SPOT}"',
    env: {
      ...{ SLIPWAY_ARGS: '{"name":"x","scale":4,"spot":true}', A: 'b' },
      ...{ SLIPWAY_ARG_NAME: 'x', SLIPWAY_ARG_SCALE: '4', SLIPWAY_ARG_SPOT: 'True' },
    },
  });
});

test('given values that a shell or a text would read, when the line is made, then each stays a value', () => {
  const { run, env } = lineOf("call: 'load run', suffix: fast");
  expect(run).not.toMatch(/HOME|id\)|`/);
  expect(run).toContain('--file="${SECRET_PATH}${SLIPWAY_ARG_FILE}"');
  expect(env).toMatchObject({
    ...{ SLIPWAY_ARG_FILE: '/token', SLIPWAY_ARG_SIZE: '2.0', SLIPWAY_ARG_RATE: 'None', SLIPWAY_ARG_SECOND: 'b' },
    SLIPWAY_ARG_LIST: "['a', 'b']",
    SLIPWAY_ARG_TEXT: `'echo, \\'{{out}}\\' {{version}} $HOME $(id) \`id\` " ;'`,
  });
  expect(env['SLIPWAY_ARGS']).toContain("'\\u007bout}' \\u007bversion}");
  expect(JSON.parse(env['SLIPWAY_ARGS']!)).toMatchObject({ file: '$SECRET_PATH/token', size: 2, rate: null });
});

test('given texts that Python would read as something else, when they are arguments, then they are quoted', () => {
  expect(lineOf("call: 'load quoted'").env).toMatchObject({
    ...{ SLIPWAY_ARG_A: "'1'", SLIPWAY_ARG_B: "'None'", SLIPWAY_ARG_C: "'1.10'", SLIPWAY_ARG_D: "'[x]'" },
    ...{ SLIPWAY_ARG_E: "'5 '", SLIPWAY_ARG_F: "'5 # five'", SLIPWAY_ARG_G: "'- 5'", SLIPWAY_ARG_H: `"b'x'"` },
    ...{ SLIPWAY_ARG_I: "'four # five'", SLIPWAY_ARG_J: "'...'", SLIPWAY_ARG_K: "'\ufb01'" },
  });
  const { SLIPWAY_ARGS: all, ...plain } = lineOf("call: 'load plain'").env;
  expect(Object.values(plain)).toEqual(Object.values(JSON.parse(all!) as object));
});

test('given values of the configuration and of axes in extra, when the line is made, then the first have their type and the second stay words', () => {
  const { env } = lineOf("call: 'load empty', extra: { a: '{config.words}', b: '{config.count}', c: '{size}' }");
  expect(env).toMatchObject({ SLIPWAY_ARG_A: "['a', 'b']", SLIPWAY_ARG_B: '3', SLIPWAY_ARG_C: '{size}' });
});

test('given a preset and a line of commands, when the line is made, then both count', () => {
  const text = `config: { commands: 'exec tool {command} {group} -- {args}' }\nsteps:\n  one: { call: 'load empty', extra: { a: '{config.name}' } }\n`;
  const { run, env } = settled(text, FILES, { preset: ['other'] }).file.content.steps['one'] as Command;
  expect(run).toBe('exec tool empty load -- --a="${SLIPWAY_ARG_A}"');
  expect(env['SLIPWAY_ARG_A']).toBe('other');
});

const MISTAKES: readonly (readonly [
  what: string,
  text: string,
  files: Readonly<Record<string, string>>,
  told: RegExp,
])[] = [
  [
    'an absent key',
    entry("call: 'cluster set_scal', prefix: driver"),
    FILES,
    /^CALL_UNKNOWN slipway.yaml:6:\d+ .*"driver\/cluster set_scal"; did you mean "driver\/cluster set_scale"\?$/,
  ],
  ['no prefix', entry("call: 'cluster set_scale'"), FILES, /^CALL_UNKNOWN/],
  [
    'SET_AT_RUNTIME',
    entry("call: 'cluster set_scale', prefix: driver"),
    FILES,
    /^CALL_NOT_SET command_args.yml.j2:5:1 /,
  ],
  [
    'SET_AT_RUNTIME in extra',
    entry("call: 'load empty', extra: { a: SET_AT_RUNTIME }"),
    FILES,
    /^CALL_NOT_SET slipway.yaml:6:/,
  ],
  ['a list of arguments', entry("call: 'load list'"), FILES, /^CALL_NO_MAP command_args.yml.j2:16:1 /],
  [
    'a name that is no argument',
    entry("call: 'load empty', extra: { 'a b': 1 }"),
    FILES,
    /^CALL_ARGUMENT slipway.yaml:6:/,
  ],
  ['two names of one variable', entry("call: 'load empty', extra: { a: 1, A: 2 }"), FILES, /^CALL_ARGUMENT/],
  ['no template', entry("call: 'load empty'"), { 'config.yaml': CONFIG }, /^CALL_NO_TEMPLATE slipway.yaml:6:/],
  [
    'two templates',
    entry("call: 'load empty'"),
    { ...FILES, 'command_args.yaml.j2': '' },
    /^CALL_TWO_TEMPLATES command_args.yaml.j2 /,
  ],
  [
    'an undefined name',
    entry("call: 'load empty'"),
    { ...FILES, 'command_args.yml.j2': 'a:\n  b: {{ nam }}' },
    /^TEMPLATE_UNDEFINED command_args.yml.j2:2:9 "nam" is not defined; did you mean "name"\?$/,
  ],
  [
    'no YAML',
    entry("call: 'load empty'"),
    { ...FILES, 'command_args.yml.j2': '{% set a = 1 %}\n\na: [\n' },
    /^PYYAML_SYNTAX command_args.yml.j2:\d/,
  ],
  ['a list as the template', entry("call: 'load empty'"), { ...FILES, 'command_args.yml.j2': '- a' }, /^CALL_NO_MAP/],
];
test.each(MISTAKES)('given %s, when the file is read, then the problem has its place', (_, text, files, expected) => {
  expect(told(settled(text, files)).some((one) => expected.test(one)) || told(settled(text, files))).toBe(true);
});

test('given several mistakes, when the file is read, then all are told at once', () => {
  const text =
    "config: {}\nsteps:\n  one: { call: 'load rum' }\n  two: { call: 'cluster set_scale', prefix: driver, extra: { 'x y': 1 } }\n";
  expect(told(settled(text, FILES)).map((one) => one.split(' ')[0])).toEqual([
    'CALL_UNKNOWN',
    'CALL_NOT_SET',
    'CALL_ARGUMENT',
  ]);
});

test('given a call at a terminal, when it is shown, then it has arguments, their place and the line', () => {
  const own = ofCampaigns(settled('config: {}\n', FILES));
  const extra = readExtra(['scale=3', 'name=a "b"']);
  expect(callLines(own.call({ call: 'cluster set_scale', prefix: 'driver', extra }))).toEqual([
    'driver/cluster set_scale  command_args.yml.j2:3',
    '  name   a "b"',
    '  scale  3',
    '  spot   True',
    '',
    './run_toolbox.py cluster set_scale --name="a \\"b\\"" --scale="3" --spot="True"',
  ]);
  expect(() => own.call({ call: 'cluster set_scale', extra: {} })).toThrow('CALL_UNKNOWN');
});

test('given a template that a preset breaks, when the settings are checked, then the problem is told with that preset alone', () => {
  const parts = settled('config: {}\n', FILES).lint!();
  const found = parts.map(({ name, findings }) => [name, findings.map(({ code, subject }) => `${code} ${subject}`)]);
  expect(found).toEqual([
    ['config.yaml', ['CONFIG_FRACTION config.yaml:4:1']],
    ['command_args.yml.j2', []],
    ['other', []],
    ['broken', ['TEMPLATE_UNDEFINED command_args.yml.j2:14:14']],
  ]);
});
