/** @slow */
import { ray } from '../../src/importers/ray/index.js';
import { expectGolden } from '../support/golden.js';
import { fc } from '../support/fixed-seed.js';
import { catalogueOf, type Files, HEAD, IMPORT, imported, TESTS, told, withTests } from './ray-files.js';

const COMPUTE = 'release/core/compute.yaml';
const one = (keys: string): Files => withTests(`${HEAD}- name: a\n${keys.replaceAll(/^/gm, '  ')}\n`);
const raw = (text: string): Files => withTests(HEAD + text);
const compute = (text: string): Files => ({ ...one(''), [COMPUTE]: text });

const CASES: readonly (readonly [string, Files, Parameters<typeof imported>[1]?, Parameters<typeof imported>[2]?])[] = [
  ['matrix with variations', one('matrix: { setup: { x: [1] } }\nvariations: [{ __suffix__: b }]')],
  ['no variation', one('variations: []')],
  ['variations without a value', one('variations:')],
  ['__suffix__ missing', one('variations:\n  - __suffix__: b\n  - env: gce')],
  [
    'an adjustment without a variable, and with a strange one',
    one('matrix:\n  setup: { x: [1], y: [2] }\n  adjustments: [{ with: { x: 1, z: 3 } }]'),
  ],
  ['a list as a value of a matrix', one('matrix: { setup: { x: [[1, 2]] } }')],
  ['a text in place of the values', one('matrix: { setup: { x: abc } }')],
  [
    'a combination twice',
    raw('- name: a_{{x}}\n  matrix:\n    setup: { x: [1, 2] }\n    adjustments: [{ with: { x: "1" } }]\n'),
  ],
  ['a matrix of a million', one(`matrix: { setup: { x: [${'1,'.repeat(1000)}], y: [${'1,'.repeat(1000)}] } }`)],
  [
    'values that grow',
    raw(`- name: a_{{a}}\n  matrix: { setup: { a: ['${'{{b}}'.repeat(200)}'], b: ['${'x'.repeat(300)}'] } }\n`),
  ],
  ['a matrix whose name has no variable', one('matrix: { setup: { x: [1, 2] } }')],
  ['two tests of one name', raw('- name: a\n- name: b\n- name: a\n')],
  ['two keys of one name', one('run: { timeout: 1, timeout: 2, script: x }')],
  ['on as a key', one('on: push')],
  ['no as a key', one('run: { no: 1, script: x, timeout: 60 }')],
  [
    '010, 1:30, 3.10 and a date as PyYAML reads them',
    one('run: { timeout: 010, script: 1:30 }\npython: 3.10\ngroup: 2026-11-22\nteam: on'),
  ],
  [
    'ten unknown keys at once',
    one(
      'naem: b\ngruop: c\ntaem: d\nrun: { scirpt: a, script: b, timeuot: 1, timeout: 60 }\ncluster: { cluster_compute: compute.yaml, byodd: {}, ray_vesrion: x, autosuspend: 1 }\nstabel: true\nfrequencey: x',
    ),
  ],
  ['wrong choices', one('frequency: dayly\npython: "3.9"\nrun: { type: anyscale, script: x, timeout: 60 }')],
  [
    'wrong types',
    one('run: text\ncluster: { byod: { runtime_env: [1] }, cluster_compute: 7 }\nstable: "no"\nrepeated_run: 0'),
  ],
  ['keys that are missing', withTests('- name: a\n- team: core\n')],
  ['a time-out without end', one('run: { timeout: 99999999999, script: x }')],
  [
    'an unknown key in a smoke test is told at the end',
    one('smoke_test: { frequency: nightly, cluster: { app_config: x } }'),
    {},
    { smoke: true },
  ],
  ['a wrong value in a smoke test', one('smoke_test: { frequency: nightly, run: { timeout: soon } }')],
  ['a smoke test without a frequency', one('smoke_test: { run: { timeout: 1 } }')],
  ['no list', withTests('name: a\n')],
  ['an empty file', withTests('')],
  ['an entry that is no map', withTests('- a\n- [b]\n')],
  ['no YAML', raw('- name: [a\n- name: "b\n')],
  ['two documents', raw('---\n- name: a\n')],
  ['a tag of Python', one('team: !!python/object:os.system x')],
  ['an anchor that is nowhere', one('run: *gone')],
  [
    'aliases that multiply',
    withTests(
      `- &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((name, at) => `- &${name} [${`*${'abcdefg'[at]},`.repeat(10)}]\n`)
        .join('')}`,
    ),
  ],
  ['brackets without end', withTests(`a: ${'['.repeat(20_000)}`)],
  ['a file without end', withTests('#'.repeat(600_000))],
  ['a file that is not there', {}, { files: [TESTS, 'release/gone.yaml'] }],
  ['a compute file that is not there', one('cluster: { cluster_compute: gone.yaml }')],
  [
    'paths outside the source',
    one(
      'working_dir: ../../etc\ncluster: { cluster_compute: ../../../etc/passwd, byod: { post_build_script: ../../../../x.sh } }',
    ),
  ],
  ['an unknown environment', one('env: gcee')],
  ['an environment with the name of a built-in', one('env: constructor')],
  [
    'an environment with the name of a built-in, which has a file',
    { ...one('env: constructor'), 'release/ray_release/environments/constructor.env': '' },
  ],
  ['an environment without a cluster', { ...one('env: azure'), 'release/ray_release/environments/azure.env': '' }],
  [
    'an env file with a line that is no variable',
    { ...one(''), 'release/ray_release/environments/aws.env': '\n# all\nA=1\nB\n' },
  ],
  ['an unknown suite of alerts', one('alert: tune_test')],
  ['an unknown instance type', compute('head_node_type: { instance_type: g9.xlarge }\n')],
  [
    'an unknown group for unknown types',
    compute('head_node_type: { instance_type: g9.xlarge }\n'),
    { instances: { '*': 'smal' } },
  ],
  [
    'a byod type with another Python',
    one('cluster: { cluster_compute: compute.yaml, byod: { type: gpu } }\npython: "3.12"'),
  ],
  [
    'byod files that are not there',
    one('cluster: { cluster_compute: compute.yaml, byod: { post_build_script: a.sh, python_depset: b.lock } }'),
  ],
  ['other jinja', compute('a: {{ env["A"] }}\nb: {{ env.get("B", 1) }}\n{% if x %}\nc: {# no #}\n')],
  [
    'a volume that outlives its machine',
    compute(
      'advanced_configurations_json:\n  BlockDeviceMappings:\n    - Ebs: { VolumeSize: 1 }\n    - Ebs: { DeleteOnTermination: false }\n',
    ),
  ],
  ['a compute file that is a list', compute('- a\n')],
  ['more nodes waited for than there are', one('run: { timeout: 60, script: x, wait_for_nodes: { num_nodes: 33 } }')],
  [
    'filters that nothing can match',
    one(''),
    { where: { match: ['taem:core', 'core', 'name:(?!x)', 'name:(a)\\1', `name:${'x'.repeat(501)}`, 'run:x'] } },
  ],
  ['an unknown frequency', one(''), { where: { frequency: 'nigthly' } }],
  ['an unknown frequency of the command', one(''), {}, { frequency: 'daily' }],
  ['nothing selected', one(''), { where: { match: ['team:serve'] } }],
  ['nothing selected, as all is dropped', one(''), { clusters: { aws: 'drop' } }],
  ['a change that changes nothing', one(''), { change: [{ match: ['name:b'], set: { team: 'x' } }] }],
  ['a change with an unknown key', one(''), { change: [{ set: { run: { timeuot: 1 } } }] }],
];

test('given bad input, when it is imported, then each mistake is reported with its place and a fix', () => {
  const pages = CASES.map(([name, files, say, chosen]) => {
    const { findings, notices = [] } = imported(files, say, chosen);
    const notes = notices.map(({ code, subject, why, next }) => `${code} ${subject}: ${why}\n  ${next}\n`);
    return `## ${name}\n${[...findings.map(told), ...notes].join('')}`;
  });
  expectGolden('importers/ray-bad-input.txt', pages.join('\n'));
});

test.each(CASES)('given %s, when it is imported, then at least one problem is reported', (...given) => {
  const [, files, say, chosen] = given as unknown as (typeof CASES)[number];
  const { findings, notices = [] } = imported(files, say, chosen);
  expect(findings.length + notices.length).toBeGreaterThan(0);
});

const PIECES = [
  ...[
    '- ',
    '- name: a\n',
    '  ',
    '\n',
    ': ',
    '{',
    '}',
    '[',
    ']',
    '{{x}}',
    '&a ',
    '*a',
    '<<: ',
    "'",
    '"',
    '|\n',
    '~',
    '!!int ',
    '? ',
  ],
  ...[
    'name: ',
    'run: ',
    'cluster: ',
    'matrix: ',
    'setup: ',
    'adjustments: ',
    'with: ',
    'variations: ',
    '__suffix__: ',
    'smoke_test: ',
  ],
  ...[
    '__proto__: ',
    'constructor: ',
    'DEFAULTS',
    '010',
    '1:30',
    '2026-11-22',
    'on',
    '0x',
    '.',
    '1e999',
    '\t',
    '\u0085',
    '\ud800',
    '-',
    '=16',
  ],
];

test('given any text, when it is read as tests, compute file and env file, then mistakes are reported without a crash', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 60 });
  fc.assert(
    fc.property(text, text, (tests, other) => {
      const files = {
        ...one(tests.join('')),
        [COMPUTE]: other.join(''),
        'release/ray_release/environments/aws.env': other.join(''),
      };
      const { findings } = imported(files, { where: { match: [other.join('').slice(0, 60)] } });
      imported(raw(tests.join('')));
      for (const { code, message, next, place } of findings)
        expect([code, message, next, typeof place]).not.toContain('');
    }),
    { numRuns: 100 },
  );
});

test('given an import that was read before, when only the selection differs, then the reading is reused', () => {
  const kept = catalogueOf(one(''));
  expect(ray.stored!.reading(IMPORT)).toEqual(
    ray.stored!.reading({ ...IMPORT, where: { frequency: 'weekly' }, prefix: 'x-' }),
  );
  expect(ray.stored!.faults(kept)).toEqual([]);
});
