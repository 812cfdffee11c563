import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDoc } from '../../../src/importers/pyyaml/read.js';
import { valueOf } from '../../../src/features/campaigns/pure/topsail/template/values.js';
import { render } from '../../../src/features/campaigns/pure/topsail/template/render.js';

const folder = join(__dirname, 'templates');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const CONFIG = valueOf(readDoc(textOf('config.yaml'), 'config.yaml', (problem) => expect(problem).toBeNull())!.tree);
const rendered = (text: string) => render(text, 'args.yml.j2', CONFIG);

// renderings.json is the output of templates/render.py, which Jinja2 3.1.6 rendered.
test.each(JSON.parse(textOf('renderings.json')) as [string, string | null][])(
  'given the template %j, when it is rendered, then its text is that of Jinja2',
  (template, text) => {
    const { problems, ...ours } = rendered(template);
    if (text === null) expect(problems).not.toEqual([]);
    else expect({ text: ours.text, problems }).toEqual({ text, problems: [] });
  },
);

const times = (count: number, text: string): string => text.repeat(count);
const doubled = (count: number, step: string, first = "'xy'"): string =>
  `{% set a = ${first} %}${times(count, `{% set a = ${step} %}`)}`;
const BIG = times(50_000, 'x');

const LARGE = 'TEMPLATE_TOO_LARGE';
const NONE = 'TEMPLATE_NOT_SUPPORTED';
const ATTACKS: readonly (readonly [what: string, template: string, code: string])[] = [
  ['a range of 10⁹', '{% for i in range(1000000000) %}x{% endfor %}', LARGE],
  ['a range of 10⁹ by a power', '{{ range(10**9) }}', NONE],
  ['loops in loops', `${times(6, '{% for i in range(999) %}')}${times(6, '{% endfor %}')}`, LARGE],
  ['a text that doubles by ~', `${doubled(60, 'a ~ a')}{{ a }}`, LARGE],
  ['a text that doubles by +', doubled(60, 'a + a'), LARGE],
  ['a list that doubles', doubled(60, 'a + a', '[1]'), LARGE],
  ['a list that has itself twice, printed', `${doubled(60, '[a, a]')}{{ a }}`, LARGE],
  ['a list that has itself twice, as JSON', `${doubled(60, '[a, a]')}{{ a | tojson }}`, LARGE],
  ['a list that has itself twice, compared', `${doubled(60, '[a, a]')}{% set b = [[a]] %}{{ a == b[0][0] }}`, LARGE],
  ['a list that has itself twice, sought', `${doubled(60, '[a, a]')}{{ [a] in [[a]] }}`, LARGE],
  ['lists that are 20,000 deep, printed', `{% set a = [] %}${times(6_000, '{%set a=[a]%}')}{{ a }}`, LARGE],
  ['10 MB of output', `{% for i in range(300) %}${BIG}{% endfor %}`, LARGE],
  ['10 MB of output by a name', `{% set a = '${BIG}' %}${times(300, '{{ a }}')}`, LARGE],
  ['a margin of 3·10⁸', "{{ 'a' | indent(300000000) }}", NONE],
  ['JSON with a margin of 10⁶', '{{ map | tojson(indent=1000000) }}', NONE],
  ['a replacement of each letter', `{{ '${BIG}' | replace('x', '${times(999, 'y')}') }}`, LARGE],
  ['a replacement of nothing', `{{ name | replace('', '${BIG}') }}`, NONE],
  ['a text times 10⁹', "{{ 'x' * 1000000000 }}", 'TEMPLATE_VALUE'],
  ['a list times 10⁹', '{{ [1] * 1000000000 }}', 'TEMPLATE_VALUE'],
  ['a long text between items', `{{ range(9000) | join('${BIG}') }}`, LARGE],
  ['one long text many times in a list, joined', `${doubled(12, 'a + a', `['${BIG}']`)}{{ a | join }}`, LARGE],
  [
    'a long text that is searched often',
    `{% set a = '${BIG}' %}{% for i in range(90000) %}{% if 'y' in a %}{% endif %}{% endfor %}`,
    LARGE,
  ],
  [
    'long texts that are compared often',
    `{% set a = '${BIG}' %}{% set b = a ~ '' %}{% for i in range(90000) %}{% if a == b %}{% endif %}{% endfor %}`,
    LARGE,
  ],
  [
    'a long text that is split often',
    `{% set a = '${BIG}' %}{% for i in range(90000) %}{% set b = a.split('x') %}{% endfor %}`,
    LARGE,
  ],
  [
    'a mistake in each turn of a loop',
    `{% set a = '${BIG}' %}{% for i in range(90000) %}{{ a - 1 }}{% endfor %}`,
    'TEMPLATE_VALUE',
  ],
  [
    'a name that is not defined in each turn',
    `{% for i in range(90000) %}{{ absent }}{% endfor %}`,
    'TEMPLATE_UNDEFINED',
  ],
  [
    'a name with a problem in each turn',
    '{% set a = absent %}{% for i in range(90000) %}{{ a }}{% endfor %}',
    'TEMPLATE_UNDEFINED',
  ],
  ['20,000 parentheses', `{{ ${times(20_000, '(')}1${times(20_000, ')')} }}`, LARGE],
  ['20,000 brackets', `{{ ${times(20_000, '[')} }}`, LARGE],
  ['20,000 braces', `{{ ${times(20_000, '{')} }}`, 'TEMPLATE_SYNTAX'],
  ['20,000 indices', `{{ list${times(20_000, '[0]')} }}`, LARGE],
  ['20,000 words not', `{{ ${times(20_000, 'not ')}1 }}`, LARGE],
  ['20,000 signs', `{{ ${times(20_000, '- ')}1 }}`, LARGE],
  ['20,000 sums', `{{ 1${times(20_000, '+1')} }}`, LARGE],
  ['20,000 filters', `{{ name${times(12_000, '|upper')} }}`, LARGE],
  ['20,000 keys', `{{ map${times(20_000, '.a')} }}`, LARGE],
  ['10,000 conditions in a row', `{{ ${times(8_000, '1 if 0 else ')}2 }}`, LARGE],
  ['9,000 blocks in blocks', times(9_000, '{% if 1 %}'), LARGE],
  ['5,000 branches', `{% if 0 %}${times(5_000, '{% elif 0 %}')}{% endif %}`, LARGE],
  ['130 kB', times(140_000, 'x'), LARGE],
  ['100,000 blanks', times(100_000, ' '), LARGE],
  ['a text that is not closed', `{{ '${BIG} }}`, 'TEMPLATE_SYNTAX'],
  ['a comment that is not closed', `{# ${BIG}`, 'TEMPLATE_SYNTAX'],
  ['30,000 openings', times(30_000, '{{'), 'TEMPLATE_SYNTAX'],
  ['include', "{% include '/etc/passwd' %}", NONE],
  ['import', "{% import 'a' as b %}", NONE],
  ['extends', "{% extends 'a' %}", NONE],
  ['a macro that calls itself', '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', NONE],
  ['a call block', '{% call f() %}{% endcall %}', NONE],
  ['a filter block', '{% filter upper %}{% endfilter %}', NONE],
  ['a block that is set', '{% set a %}x{% endset %}', NONE],
  ['raw', '{% raw %}{{ x }}{% endraw %}', NONE],
  ["the library's own tag", 'a {% generation %}b{% endgeneration %}', NONE],
  ['a clock', "{{ strftime_now('%Y') }}", NONE],
  ['a name of every object', '{{ constructor }}', 'TEMPLATE_UNDEFINED'],
  ['the prototype of a map', '{{ map.__proto__ }}', 'TEMPLATE_UNDEFINED'],
  ['the constructor of a map', "{{ map['constructor'] }}", 'TEMPLATE_UNDEFINED'],
  ['the constructor of a text', '{{ name.constructor }}', 'TEMPLATE_UNDEFINED'],
  ['the class of a text', "{{ ''.__class__.__mro__ }}", 'TEMPLATE_UNDEFINED'],
  ['a function of a constructor', "{{ [].constructor.constructor('return process')() }}", NONE],
  ['a filter of every object', '{{ name | constructor }}', NONE],
  ['a test of every object', '{{ name is constructor }}', NONE],
  ['a method of every object', '{{ map.toString() }}', NONE],
  ['a method of the library', "{{ ''.builtins.get('upper')() }}", NONE],
  ['a prototype that is written', "{{ {'__proto__': 1}.x }}", NONE],
  ['a slice', '{{ name[1:] }}', NONE],
  ['two names in a loop', '{% for k, v in map %}{% endfor %}', NONE],
  ['a condition of a loop', '{% for x in numbers if x %}{% endfor %}', NONE],
  ['two names that are set', '{% set a, b = [1, 2] %}', NONE],
  ['a method of maps', '{{ map.items() }}', NONE],
  ['an argument with a name', '{{ name | default(boolean=true) }}', NONE],
  ['too many arguments', "{{ name | upper('x') }}", NONE],
  ['a chain of comparisons', '{{ 1 < 2 < 3 }}', NONE],
];

test.each(ATTACKS)(
  'given %s, when it is rendered, then it ends with a coded problem and its place',
  (_, template, code) => {
    const { problems, text } = rendered(template);
    expect([problems[0]?.code, text]).toEqual([code, null]);
    for (const { place } of problems) expect(place).toMatchObject({ file: 'args.yml.j2', line: 1 });
  },
);

test('given a problem that a loop repeats, when it is rendered, then it is told once, and the loop ends', () => {
  const { problems } = rendered('{% for i in range(90000) %}{{ absent }}{% endfor %}');
  expect(problems.map(({ code }) => code)).toEqual(['TEMPLATE_UNDEFINED', LARGE]);
});

test('given 30,000 names, when a missing one is met again and again, then the searches for near names have a limit', () => {
  const names = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`key${at}`, at]));
  const { problems } = render('{% for i in range(60) %}{{ absent }}{% endfor %}', 'args.yml.j2', names);
  expect(problems.map(({ code }) => code)).toEqual(['TEMPLATE_UNDEFINED', LARGE]);
});

test('given several mistakes, when it is rendered, then all are told with line and column, and none twice', () => {
  const { problems } = rendered(
    "a: {{ nam }}\n{% set b = texts | upper %}\nb: {{ b }}\n  c: {{ deep.key.valu }}\n{{ 'x' | uper }}\n",
  );
  expect(problems.map(({ code, place, message }) => `${place?.line}:${place?.column} ${code} ${message}`)).toEqual([
    '1:7 TEMPLATE_UNDEFINED "nam" is not defined; did you mean "name"?',
    '2:12 TEMPLATE_UNDEFINED "texts" is not defined; did you mean "text"?',
    '4:18 TEMPLATE_UNDEFINED "deep.key.valu" is not defined; did you mean "value"?',
    '5:10 TEMPLATE_NOT_SUPPORTED templates have no filter "uper" here; did you mean "upper"?',
  ]);
});

test('given a null that is a whole value, when it is rendered, then it is null; elsewhere it is None', () => {
  expect(
    rendered('a: {{ nothing }}\nb: x{{ nothing }}\nc: "{{ nothing }}"\n- {{ nothing }}\nd: {{ nothing }}').text,
  ).toBe('a: null\nb: xNone\nc: "None"\n- null\nd: null');
});

test('given output of a loop, when a line of it is asked for, then its place is the line of the template', () => {
  const { text, placeOf } = rendered('x\n{% for i in numbers %}\na: {{ i }}\n{% endfor %}\nlast');
  const lines = text!.split('\n');
  expect(lines.map((line, index) => (line.startsWith('a') || line === 'last' ? placeOf(index + 1).line : 0))).toEqual([
    ...[0, 0, 3, 0, 3, 0, 3, 0, 5],
  ]);
});

test.each([
  ['{% for k, v in map.items() %}{{ k }}{% endfor %}', '{% for key in map %}{{ map[key] }}{% endfor %}'],
  ['{% for k in map.items() %}{{ k }}{% endfor %}', '{% for key in map %}{{ map[key] }}{% endfor %}'],
  ["{{ map.get('absent', 1) }}", "{{ map['absent'] | default(1) }}"],
  ['{{ name.upper() }}', '{{ name | upper }}'],
])('given %s, then the advice has what can be written: %s', (wrong, right) => {
  const [problem] = rendered(wrong).problems;
  const said = right
    .replace(/\{% for key in map %\}.*/, '{% for key in map %} and map[key]')
    .replace(/.*(\| \w+).*/, '$1');
  expect(problem).toMatchObject({ code: NONE, next: expect.stringContaining(said) as string });
  expect(rendered(right).problems).toEqual([]);
});
