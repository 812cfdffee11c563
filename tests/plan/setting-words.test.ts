import { parse } from 'yaml';
import { SlipwayFailure, type Problem } from '../../src/model/failure.js';
import { canonical, type JsonObject } from '../../src/model/json.js';
import type { Plan } from '../../src/model/plan.js';
import type { Settings } from '../../src/plan/feature.js';
import { plan } from '../../src/plan/plan.js';
import { type ReadFile, readReleaseFile } from '../../src/plan/read/release-file.js';
import { releaseFileSchema } from '../../src/plan/reference/json-schema.js';
import { checkSettingPlaces } from '../../src/plan/setting-words.js';
import { scanShell } from '../../src/plan/shell/scan.js';
import { settingsOf } from '../support/tiny-settings.js';
import { HEAD, sha256, someFacts, stepOf } from './a-plan.js';

/** Settings of a release file, as planning hands them to stages. */
function withSettings(file: ReadFile, document: JsonObject): ReadFile {
  const { word, value } = settingsOf(document)(file, {} as never) as Settings;
  return { ...file, settings: { word, value, document, digest: sha256(canonical(document)) } };
}
const planWith = (text: string, document: JsonObject): Plan =>
  plan(withSettings(readReleaseFile(text, 'slipway.yaml'), document), someFacts());

function problemsWith(text: string, document: JsonObject): readonly Problem[] {
  try {
    planWith(text, document);
    return [];
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}
const stepWith = (entry: object, document: JsonObject) =>
  stepOf(planWith(`${HEAD}steps: { ping: ${JSON.stringify(entry)} }`, document), 'steps/ping');
const problemsOf = (entry: object, document: JsonObject) =>
  problemsWith(`${HEAD}steps: { ping: ${JSON.stringify(entry)} }`, document);

const NAMED = { service: { port: 8080, 'with-dash': true, host: 'a b' } };

test('given words of settings, then a line has variables, other texts have values, and the plan has the digest', () => {
  const text = 'ping {config.service.host}:"{config.service.port}" {config.service.with-dash}';
  const step = stepWith({ run: text, env: { URL: 'http://{config.service.host}:{config.service.port}/' } }, NAMED);
  expect(step.params).toMatchObject({
    run: 'ping "${SLIPWAY_CONFIG_SERVICE_HOST}":"${SLIPWAY_CONFIG_SERVICE_PORT}" "${SLIPWAY_CONFIG_SERVICE_WITH_DASH}"',
    vars: {
      SLIPWAY_CONFIG_SERVICE_HOST: 'a b',
      SLIPWAY_CONFIG_SERVICE_PORT: '8080',
      SLIPWAY_CONFIG_SERVICE_WITH_DASH: 'true',
    },
    env: { URL: 'http://a b:8080/' },
  });
  expect(planWith(`${HEAD}steps: { ping: { run: 'true' } }`, NAMED).settings).toBe(sha256(canonical(NAMED)));
});

test('given words of settings in the line before Maven, then the line has variables', () => {
  const text = `${HEAD}jars: { mast: { prepare: { run: 'pom {config.service.port}' } } }`;
  const { params } = stepOf(planWith(text, NAMED), 'jars/mast');
  expect(params).toMatchObject({
    prepare: { run: 'pom "${SLIPWAY_CONFIG_SERVICE_PORT}"', vars: { SLIPWAY_CONFIG_SERVICE_PORT: '8080' } },
  });
});

test.each([
  ['{{config.service.port}}', '{config.service.port}'],
  ['${config.service.port}', '${config.service.port}'],
  ['{"port":{config.service.port}}', '{"port":8080}'],
  ['{configs.service.port} {other.service}', '{configs.service.port} {other.service}'],
])('given the text %s, then it becomes %s', (text, filled) => {
  expect(stepWith({ run: 'true', env: { IT: text } }, NAMED).params).toMatchObject({ env: { IT: filled } });
});

test('given no feature that reads settings, then such words are text in texts and lines', () => {
  const text = `${HEAD}steps: { ping: { run: 'echo {config.a} {{config.a}}', env: { A: '{{config.a}}' } } }`;
  const { params } = stepOf(plan(readReleaseFile(text, 'slipway.yaml'), someFacts({ features: {} })), 'steps/ping');
  expect(params).toMatchObject({ run: 'echo {config.a} {{config.a}}', env: { A: '{{config.a}}' } });
});

test.each([
  ['"; rm -rf / #', 'quotes'],
  ["'$(touch pwned)`id`", 'a substitution'],
  ['$HOME ${HOME} $$', 'names of variables'],
  ['two\nlines\r\n\ttab', 'lines'],
  ['{config.other} {version} {{x}}', 'words'],
  ['\u202eright', 'a mark'],
])('given the value %j with %s, then it reaches a command as it is and is not filled in', (value) => {
  const entry = { run: 'printf %s x{config.it}', env: { IT: 'x{config.it}' } };
  const { params } = stepWith(entry, { it: value, other: 'no' });
  expect(params).toMatchObject({
    run: 'printf %s x"${SLIPWAY_CONFIG_IT}"',
    vars: { SLIPWAY_CONFIG_IT: value },
    env: { IT: `x${value}` },
  });
});

test('given a value that is `$NAME`, then a test on a cluster gets it as a text, and looks nothing up', () => {
  const text = `${HEAD}clusters: { pond: { manager: local } }
tests: { sail: { cluster: pond, run: 'true', env: { A: '{config.it}', B: $TOKEN } } }`;
  const made = planWith(text, { it: '$TOKEN' });
  expect(stepOf(made, 'tests/sail').params).toMatchObject({ env: { A: '$$TOKEN', B: '$TOKEN' } });
});

const LONG = 'x'.repeat(1_000_000);
test.each<[string, object, JsonObject, string, string]>([
  ['a map', { run: 'echo {config.it}' }, { it: { a: 1 } }, 'SETTING_NOT_A_TEXT', 'is a map (config.json:1)'],
  ['a list', { run: 'true', env: { A: '{config.it}' } }, { it: [1] }, 'SETTING_NOT_A_TEXT', 'is a list'],
  ['null', { run: 'echo {config.it}' }, { it: null }, 'SETTING_NOT_A_TEXT', 'is null'],
  ['a NUL', { run: 'echo {config.it}' }, { it: 'a\0b' }, 'SETTING_NOT_A_TEXT', 'NUL'],
  ['a megabyte in a line', { run: 'echo {config.it}' }, { it: LONG }, 'SETTING_UNFIT', '1000000 characters'],
  ['a megabyte', { run: 'true', env: { A: '{config.it}' } }, { it: LONG }, 'SETTING_UNFIT', '1000000'],
  [
    'much of a little',
    { run: 'true', env: { A: '{config.it}'.repeat(50) } },
    { it: LONG.slice(0, 1000) },
    'SETTING_UNFIT',
    '50000',
  ],
  ['a word of a worker', { run: 'true', env: { A: '{config.it}' } }, { it: '{files}/x' }, 'SETTING_UNFIT', '{files}'],
  ['half of one', { run: 'true', env: { A: '{ou{config.it}' } }, { it: 't}' }, 'SETTING_UNFIT', '{out}'],
  ['a path out', { run: 'true', folder: '{config.it}' }, { it: '../..' }, 'SETTING_UNFIT', '"../.."'],
  ['half a path out', { run: 'true', folder: 'a/.{config.it}' }, { it: './x' }, 'SETTING_UNFIT', '"a/../x"'],
  ['a root', { run: 'true', outputs: ['{config.it}'] }, { it: '/etc/passwd' }, 'SETTING_UNFIT', '"/etc/passwd"'],
  ['no folder', { run: 'true', folder: '{config.it}' }, { it: '' }, 'SETTING_UNFIT', '""'],
  ['no key', { run: 'echo {config.no}' }, {}, 'CONFIG_UNKNOWN_KEY', 'there is no "no"'],
  ['no path', { run: 'echo {config.}' }, {}, 'CONFIG_UNKNOWN_KEY', ''],
  ['a prototype', { run: 'echo {config.__proto__}' }, {}, 'CONFIG_UNKNOWN_KEY', '__proto__'],
  ['a constructor', { run: 'true', env: { A: '{config.constructor}' } }, {}, 'CONFIG_UNKNOWN_KEY', 'constructor'],
  ['a quoted path', { run: "echo {config.'x y'}" }, { "'x y'": 1 }, 'SETTING_WITHOUT_VARIABLE', 'no variable'],
  [
    'one variable for two',
    { run: 'echo {config.a-b} {config.a_b}' },
    { 'a-b': 1, a_b: 2 },
    'SETTING_WITHOUT_VARIABLE',
    '{config.a_b} and {config.a-b}',
  ],
  ['single quotes', { run: "echo '{config.it}'" }, { it: 1 }, 'PLACEHOLDER_IN_QUOTES', '{config.it}'],
  ['code', { run: 'sh -c "echo {config.it}"' }, { it: 1 }, 'PLACEHOLDER_IN_PROGRAM', '{config.it}'],
  ['a dash', { run: 'rm {config.it}' }, { it: '-rf' }, 'PLACEHOLDER_IS_OPTION', '"-rf"'],
])('given %s, then the plan is refused at the text', (_what, entry, document, code, message) => {
  const found = problemsOf(entry, document);
  expect(found).toMatchObject([{ code, message: expect.stringContaining(message), place: { file: 'slipway.yaml' } }]);
  expect(found[0]!.message.length + found[0]!.next.length).toBeLessThan(600);
});

test('given a placeholder that a line may not have, then the advice gives a variable of its own, which works', () => {
  const [found] = problemsOf({ run: 'sh -c "echo {config.it}"' }, { it: 1 });
  expect(found!.next).toContain("env: { NAME: '{config.it}' }");
  const { params } = stepWith({ run: 'sh -c \'echo "$NAME"\'', env: { NAME: "{config.'x y'}" } }, { "'x y'": 1 });
  expect(params).toMatchObject({ env: { NAME: '1' } });
});

test('given settings, when a step names none of a change, then its plan is the same; another digest changes no step', () => {
  const text = `${HEAD}steps: { a: { run: 'echo {config.a}' }, b: { run: 'echo {config.b}' } }`;
  const [one, two] = [planWith(text, { a: 1, b: 1 }), planWith(text, { a: 1, b: 2, c: 3 })];
  expect(stepOf(two, 'steps/a')).toEqual(stepOf(one, 'steps/a'));
  expect(stepOf(two, 'steps/b')).not.toEqual(stepOf(one, 'steps/b'));
  expect(planWith(text, { b: 1, a: 1, c: [] }).steps).toEqual(one.steps);
  expect(JSON.stringify(planWith(text, { a: 1, b: 1, secret: 'unnamed' }))).not.toContain('unnamed');
});

/** Every place of a release file whose texts may name settings. */
const ALLOWED = [
  ...['env.*', 'folder', 'run', 'outputs.0'].map((key) => `sdists.*.${key}`),
  ...['env.*', 'folder', 'run', 'outputs.0', 'prepare.run', 'prepare.env.*'].map((key) => `wheels.*.${key}`),
  ...['env.*', 'folder', 'run', 'properties.*', 'outputs.0', 'libraries.0'].map((key) => `jars.*.${key}`),
  ...['prepare.run', 'prepare.env.*'].map((key) => `jars.*.${key}`),
  ...['args.*', 'labels.*'].map((key) => `images.*.${key}`),
  ...['env.*', 'run', 'expect', 'result', 'artifacts.0', 'prepare.run', 'folder'].map((key) => `tests.*.${key}`),
  ...['env.*', 'folder', 'run', 'outputs.0', 'expect', 'extra.*'].map((key) => `steps.*.${key}`),
];

type Schema = JsonObject & { readonly [key: string]: unknown };
const SCHEMA = releaseFileSchema() as Schema;
const kids = (one: Schema, key: string): readonly Schema[] =>
  Object.values((one[key] ?? {}) as Record<string, Schema>).filter((kid) => typeof kid === 'object');

/** Paths of all texts of a schema, with `*` for names and `0` for items. A schema without a type allows any value. */
function textsOf(one: Schema, path: readonly string[] = [], above: readonly unknown[] = []): readonly string[] {
  const ref = one['$ref'] as string | undefined;
  if (ref !== undefined && above.includes(ref)) return [];
  const target = ref?.split('/').slice(1).reduce<unknown>((at, key) => (at as Schema)[key], SCHEMA); // prettier-ignore
  if (ref !== undefined) return textsOf(target as Schema, path, [...above, ref]);
  const { properties = {}, additionalProperties, items } = one as Record<string, Schema>;
  const forms = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => kids(one, key));
  const isText = 'const' in one || 'enum' in one || one['type'] === 'string';
  const isAny = forms.length === 0 && !isText && one['type'] === undefined;
  return [
    ...(isText || isAny ? [path.join('.')] : []),
    ...forms.flatMap((form) => textsOf(form, path, above)),
    ...Object.entries(properties).flatMap(([key, kid]) => textsOf(kid as Schema, [...path, key], above)),
    ...(typeof additionalProperties === 'object' ? textsOf(additionalProperties, [...path, '*'], above) : []),
    ...[...(items ? [items] : []), ...kids(one, 'prefixItems')].flatMap((kid) => textsOf(kid, [...path, '0'], above)),
  ];
}

test('given a setting in each text of the schema of the release file, then it is refused unless its place is listed', () => {
  const file = withSettings(readReleaseFile(HEAD, 'slipway.yaml'), {});
  const refused = (place: string): boolean => {
    const within = (value: unknown, key: string): unknown => (key === '0' ? [value] : { [key]: value });
    const found: Problem[] = [];
    const value = place.split('.').toReversed().reduce<unknown>(within, 'a {config.port} z');
    checkSettingPlaces({ ...file, value: value as JsonObject }, (problem) => found.push(problem));
    expect(found.every(({ code }) => code === 'SETTING_NOT_HERE')).toBe(true);
    return found.length === 1;
  };
  const all = [...new Set(textsOf(SCHEMA))];
  expect(all.length).toBeGreaterThan(500);
  for (const section of ['publish', 'point', 'gates', 'notify', 'announce', 'sources', 'config', 'reports'])
    expect(all.filter((one) => one.startsWith(`${section}.`) && !refused(one)).length).toBe(0);
  expect(all.filter((one) => /\.(on|secrets|at|git|address|registry|when)\b/.test(one)).every(refused)).toBe(true);
  expect(all.filter((one) => !refused(one)).toSorted()).toEqual(ALLOWED.toSorted());
});

test.each([
  ['an address of a target', "publish: { it: { kind: s3, files: ['wheels/*'], path: '{config.it}/{file}' } }"],
  [
    'a line of a target',
    "publish: { it: { kind: command, files: ['wheels/*'], publish: 'put {config.it}', find: x } }",
  ],
  ['a pointer', "point: [{ target: it, name: '{config.it}', to: wheels/skiff }]"],
  ['a gate', "gates: { it: { approvers: '{config.it}' } }"],
  ['a notification', "notify: { it: { command: 'tell {config.it}' } }"],
  ['a secret', "notify: { it: { webhook: 'file:/{config.it}' } }"],
  ['an announcement', "announce: { it: { webhook: 'file:/{config.it}' } }"],
  ['an address of wheels', "wheels: { it: { from: { at: 'https://{config.it}.example.invalid/' } } }"],
  ['a tag', "images: { it: { base: b, tags: ['{config.it}'] } }"],
  ['a repository', "sources: { it: { git: '{config.it}' } }"],
])('given a setting in %s, then the file is refused', (_what, text) => {
  const value = parse(text) as unknown;
  const found: Problem[] = [];
  checkSettingPlaces({ ...withSettings(readReleaseFile(HEAD, 'slipway.yaml'), { it: 'x' }), value }, (one) =>
    found.push(one),
  );
  expect(found.map(({ code }) => code)).toContain('SETTING_NOT_HERE');
});

test('given a setting in a target and in a line of it, then the plan is refused with the place', () => {
  const text = `${HEAD}wheels: { skiff: {} }
publish:
  files: { kind: python, files: ['wheels/*'], verify: 'run {config.it}' }
`;
  const found = problemsWith(text, { it: 'x' });
  expect(found).toMatchObject([{ code: 'SETTING_NOT_HERE', path: 'publish.files.verify', place: { line: 8 } }]);
});

test('given quotes in a path, then the scanner reads the rest of the line as the shell does', () => {
  const { placeholders, open } = scanShell('echo {config."x y"} "{config.a}" {configs.b}', 'config');
  expect(open).toBeNull();
  expect(placeholders.map(({ word, quoting }) => [word, quoting])).toEqual([
    ['config."x y"', 'bare'],
    ['config.a', 'double'],
  ]);
});
