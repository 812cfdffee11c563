import { execFileSync } from 'node:child_process';
import { keyParts } from '../../../src/engine/cache/key-parts.js';
import { stepKey } from '../../../src/engine/cache/step-key.js';
import { type Problem, SlipwayFailure } from '../../../src/model/failure.js';
import { canonical } from '../../../src/model/json.js';
import type { CommandParams } from '../../../src/model/params.js';
import type { Given, Plan } from '../../../src/model/plan.js';
import { plan } from '../../../src/plan/plan.js';
import { sha256, someFacts, stepOf } from '../../plan/a-plan.js';
import { readReleaseFile } from '../../../src/plan/read/release-file.js';
import { RELEASE, settled, told } from './toolbox.js';

type Files = Readonly<Record<string, string>>;
const GIT = { commit: 'a'.repeat(40), branch: 'main', epoch: 1_700_000_000 };

/** Plans a pipeline with these entries, whose commit has these files. */
function planned(steps: string, files: Files, given: Given = {}): Plan {
  const found = settled(`config: {}\n${steps}`, files, given);
  expect(told(found)).toEqual([]);
  const { file, word, value, document } = found;
  const settings = { ...{ word, value, document }, digest: sha256(canonical(document)) };
  return plan({ ...file, settings }, someFacts({ git: GIT as never, given }));
}
const paramsOf = (made: Plan, id = 'steps/one') => stepOf(made, id).params as CommandParams;
const keysOf = (made: Plan) =>
  Object.fromEntries(
    made.steps
      .filter(({ id }) => id.startsWith('steps/'))
      .map((step) => [step.id, stepKey(keyParts(made, step, { inputs: [], toolchain: null, epoch: null }), sha256)]),
  );
const captured = (make: () => unknown): readonly Problem[] => {
  try {
    make();
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
  return [];
};
const problemOf = (...args: Parameters<typeof planned>) => captured(() => planned(...args))[0];

const CONFIG = `service: { port: 8080, name: echo }
load: { requests: 20, rate: null }
presets:
  smoke: { load.requests: 3 }
  other: { load.requests: 3, service.name: echo }
  nightly: { service.port: 9090 }
`;
const FOUR = `steps:
  prepare: { run: './prepare.sh {config.service.port}' }
  test: { run: './test.sh {config.load.requests}', env: { NAME: '{config.service.name}' } }
  clean: { run: ./clean.sh }
`;

test('given presets, when a step names none of their changes, then its key is the same; another preset of the same values gives all keys', () => {
  const all = (...preset: readonly string[]) => keysOf(planned(FOUR, { 'config.yaml': CONFIG }, { preset }));
  const [plain, smoke, other, nightly] = [all(), all('smoke'), all('other'), all('nightly')];
  expect(other).toEqual(smoke);
  expect(smoke).toEqual({ ...plain, 'steps/test': smoke['steps/test'] });
  expect(smoke['steps/test']).not.toBe(plain['steps/test']);
  expect(nightly).toEqual({ ...plain, 'steps/prepare': nightly['steps/prepare'] });
  expect(nightly['steps/prepare']).not.toBe(plain['steps/prepare']);
});

test('given options and files that differ in what no step names, when the run is planned, then the keys are the same and the record is another', () => {
  const [plain, more] = [CONFIG, `${CONFIG}unnamed: [1]\n`].map((text) => planned(FOUR, { 'config.yaml': text }));
  expect(keysOf(more!)).toEqual(keysOf(plain!));
  expect(more!.settings).not.toBe(plain!.settings);
  const set = planned(FOUR, { 'config.yaml': CONFIG }, { set: ['load.rate=50', 'service.port=8080'] });
  expect(keysOf(set)).toEqual(keysOf(plain!));
});

const HOSTILE = [
  `"; touch pwned; '`,
  'two\nlines\n$(touch pwned) `touch pwned`',
  '{config.other} {{config.other}} {version} {{x}}',
  '$HOME ${HOME} $1 $$ \\ \\\\',
  '*?[a] ~ & | < > # !',
  '\u202eright \u0007',
];
test.each(HOSTILE.map((value) => [JSON.stringify(value), value]))(
  'given the value %s, when the shell runs the line, then it is one argument, and not a part of the line',
  (_text, value) => {
    const files = { 'config.yaml': JSON.stringify({ it: value, other: 'no', presets: {} }) };
    const steps = `steps: { one: { run: 'printf "%s|" x{config.it} "{config.it}"', env: { IT: '{config.it}' } } }`;
    const { run, vars, env } = paramsOf(planned(steps, files));
    expect(env).toEqual({ IT: value });
    expect(run).not.toContain('pwned');
    const shown = execFileSync('sh', ['-eu', '-c', run!], {
      env: { PATH: '/usr/bin:/bin', ...vars },
      encoding: 'utf8',
    });
    expect(shown).toBe(`x${value}|${value}|`);
  },
);

test.each([
  ['__proto__', 'CONFIG_'],
  ['constructor', 'CONFIG_'],
  ['service.constructor', 'CONFIG_'],
  ['service.__proto__.port', 'CONFIG_'],
  ['service.prot', 'CONFIG_UNKNOWN_KEY'],
  ['service.*', 'CONFIG_PATH'],
  ['..port', 'CONFIG_PATH'],
  ['$', 'CONFIG_PATH'],
  ['service', 'SETTING_NOT_A_TEXT'],
  ['load.rate', 'SETTING_NOT_A_TEXT'],
  ['service["port"]', 'SETTING_WITHOUT_VARIABLE'],
])(
  'given the path %s in a line, when the run is planned, then it is refused with the place and what to do',
  (path, code) => {
    const steps = `steps: { one: { run: ${JSON.stringify(`echo {config.${path}}`)} } }`;
    const found = problemOf(steps, { 'config.yaml': CONFIG });
    expect(found).toMatchObject({ code: expect.stringContaining(code), place: { file: 'slipway.yaml', line: 5 } });
    expect(found!.next).not.toBe('');
  },
);

test('given a value as long as a file may be, when a step names it, then the plan is refused in few words, and a step that names it not is planned', () => {
  const files = { 'config.yaml': `small: 1\nbig: ${'x'.repeat(500_000)}\n` };
  const found = problemOf(`steps: { one: { run: 'echo {config.big}' } }`, files);
  expect(found).toMatchObject({ code: 'SETTING_UNFIT', place: { line: 5 } });
  expect(JSON.stringify(found).length).toBeLessThan(1000);
  expect(JSON.stringify(planned(`steps: { one: { run: 'echo {config.small}' } }`, files)).length).toBeLessThan(20_000);
});

test('given words in values of calls, when the run is planned, then values of the configuration and of the template stay as they are', () => {
  const text = '{config.other} {version} {other.x} {{config.other}} {a}} ${config.other}';
  const files = {
    'config.yaml': JSON.stringify({ it: text, other: 'no' }),
    'command_args.yml.j2': 'load all:\n  template: {{ it | tojson }}\n',
  };
  const steps = `steps: { one: { call: 'load all', extra: { whole: '{config.it}', part: 'x-{config.other}' } } }`;
  expect(paramsOf(planned(steps, files)).env).toMatchObject({
    SLIPWAY_ARG_TEMPLATE: `'${text}'`,
    SLIPWAY_ARG_WHOLE: `'${text}'`,
    SLIPWAY_ARG_PART: 'x-no',
  });
});

test('given words inside texts of extra, when the file is planned, then arguments and their JSON have the values', () => {
  const extra = `{ a: '{config.name}-{branch}', b: ['{config.quote}', '{{branch}}'], c: '{config.word}' }`;
  const files = {
    'config.yaml': `name: echo\nquote: 'a"b'\nword: '{branch}'\n`,
    'command_args.yml.j2': 'load empty:\n',
  };
  const { env } = paramsOf(planned(`steps:\n  one: { call: 'load empty', extra: ${extra} }\n`, files));
  expect(JSON.parse(env['SLIPWAY_ARGS']!)).toEqual({ a: 'echo-main', b: ['a"b', '{branch}'], c: '{branch}' });
  expect(env).toMatchObject({ SLIPWAY_ARG_A: 'echo-main', SLIPWAY_ARG_C: "'{branch}'" });
});

test('given words of a configuration in a file without one, when it is planned, then each is a problem with its place', () => {
  const steps = (run: string): string =>
    `${RELEASE}steps:\n  one: { run: 'true', env: { A: '${run}' } }\n  two: { run: 'echo ${run}' }\n`;
  const made = (run: string) => plan(readReleaseFile(steps(run), 'slipway.yaml'), someFacts({ git: GIT as never }));
  const told = captured(() => made('{config.service.port}')).map(({ code, path, place }) => [code, path, place?.line]);
  expect(told).toEqual([
    ['WITHOUT_SETTINGS', 'steps.one.env.A', 5],
    ['WITHOUT_SETTINGS', 'steps.two.run', 6],
  ]);
  expect(paramsOf(made('{{config.service.port}}')).env).toMatchObject({ A: '{config.service.port}' });
});
