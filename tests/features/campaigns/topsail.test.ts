import { topsail } from '../../../src/features/campaigns/pure/topsail/lifecycle.js';
import type { Setting } from '../../../src/importers/importer.js';
import type { JsonObject } from '../../../src/model/json.js';
import { canonical } from '../../../src/model/json.js';
import type { Given, Plan } from '../../../src/model/plan.js';
import { planLines } from '../../../src/cli/screens/plan.js';
import { colours } from '../../../src/cli/render/paint.js';
import { framed, importsOf, withImports } from '../../../src/plan/imports.js';
import { plan } from '../../../src/plan/plan.js';
import { problemsOf, sha256, someFacts, stepOf } from '../../plan/a-plan.js';
import { RELEASE, settled, told } from './toolbox.js';

const CONFIG = `
ci_presets:
  name: null
  names: null
  to_apply: []
  light: { extends: [small], tests.scale: 1 }
  small: { tests.node: small }
tests: { scale: 10, node: large, text: '{version} {out} \${x} é' }
`;
const PATH = 'projects/tune/testing/config.yaml';
const TEXT =
  'config: { import: topsail, project: projects/tune }\nsteps:\n  job: { import: topsail, env: { KUBECONFIG: /k } }\n';

function imported(text: string, files: Readonly<Record<string, string>>, preset: readonly string[] = []) {
  const { file, document, ...settings } = settled(text, files, { preset });
  expect(told({ file, document, ...settings })).toEqual([]);
  const say = file.content.steps['job'];
  const setting = {
    at: () => ({ file: 'slipway.yaml', line: 6 }),
    key: 'steps.job',
    settings: { ...settings, document },
  };
  return topsail.make({}, say as never, setting as unknown as Setting);
}
const entryOf = (made: ReturnType<typeof imported>, name: string): JsonObject =>
  made.entries.find((one) => one.name === name)!.entry;

test("given TOPSAIL's import, when it is read, then four entries run its entry points in order", () => {
  const made = imported(TEXT, { [PATH]: CONFIG });
  expect(made.findings).toEqual([]);
  expect(
    made.entries.map(({ name, entry, origin }) => [name, entry['needs'], entry['after'], entry['cache'], origin.line]),
  ).toEqual([
    ['job-clean', ['source'], undefined, false, 6],
    ['job-prepare', ['source', 'steps/job-clean'], undefined, false, 6],
    ['job-test', ['source', 'steps/job-prepare'], undefined, false, 6],
    ['job-clean-after', ['source'], ['steps/job-clean', 'steps/job-prepare', 'steps/job-test'], undefined, 6],
  ]);
  const points = made.entries.map(
    ({ entry }) => /testing\/run "\$TOPSAIL_PROJECT" test (\w+)/.exec(String(entry['run']))?.[1],
  );
  expect(points).toEqual(['pre_cleanup_ci', 'prepare_ci', 'test_ci', 'post_cleanup_ci']);
  expect(entryOf(made, 'job-test')['env']).toMatchObject({
    ...{ TOPSAIL_PROJECT: 'tune', KUBECONFIG: '/k', ARTIFACT_DIR: '{out}/artifacts', SHARED_DIR: '{out}/shared' },
  });
});

test('given a preset, when the entries are made, then each has the document in which it is applied and marked', () => {
  const made = imported(TEXT, { [PATH]: CONFIG }, ['light']);
  const documents = made.entries.map(
    ({ entry }) => JSON.parse(String((entry['env'] as JsonObject)['TOPSAIL_CONFIG'])) as JsonObject,
  );
  for (const document of documents)
    expect(document).toMatchObject({
      ci_presets: { names: ['light', 'small'], to_apply: [] },
      tests: { scale: 1, node: 'small', text: '{version} {out} ${x} é' },
    });
  expect(String((made.entries[0]!.entry['env'] as JsonObject)['TOPSAIL_CONFIG'])).not.toMatch(/(?<!\$)\{[a-z]/);
});

test('given another value, when the entries are made, then each differs; the same document gives the same entries', () => {
  const one = imported(TEXT, { [PATH]: CONFIG });
  expect(imported(TEXT, { [PATH]: CONFIG }).entries).toEqual(one.entries);
  const other = imported(TEXT, { [PATH]: CONFIG.replace('scale: 10', 'scale: 11') });
  for (const [index, { entry }] of other.entries.entries()) expect(entry).not.toEqual(one.entries[index]!.entry);
});

test.each([
  ['no project', 'config: {}\nsteps:\n  job: { import: topsail }\n', { 'config.yaml': 'a: 1' }, 'TOPSAIL_NO_PROJECT'],
  ['a document of 200 kB', TEXT, { [PATH]: `${CONFIG}more: ${'x'.repeat(200_000)}\n` }, 'TOPSAIL_DOCUMENT_TOO_LARGE'],
])('given %s, when the entries are made, then a problem says so', (_, text, files, code) => {
  expect(imported(text, files as unknown as Readonly<Record<string, string>>).findings.map((one) => one.code)).toEqual([
    code,
  ]);
});

test('given a template with a problem, when only the four are planned, then it hinders nothing: they render it themselves', () => {
  const files = { [PATH]: CONFIG, 'projects/tune/testing/command_args.yml.j2': 'a: {{ absent }}' };
  expect(imported(TEXT, files).findings).toEqual([]);
});

test('given a call without a configuration, when the file is planned, then it is refused', () => {
  const text = `${RELEASE}platforms: [linux-x86_64]\nsteps:\n  one: { call: 'a b' }\n`;
  expect(problemsOf(text).map(({ code }) => code)).toContain('CALL_NO_CONFIG');
});

/** Plans the four with the configuration of a project. */
function planned(config: string, given: Given = {}, text = TEXT): Plan {
  const { file, word, value, document } = settled(text, { [PATH]: config }, given);
  const settings = { ...{ word, value, document }, digest: sha256(canonical(document)) };
  const [job] = importsOf(file);
  const setting = { at: () => ({ file: 'slipway.yaml', line: 6 }), key: 'steps.job', settings };
  const { entries } = topsail.make({}, job!.say as never, setting as unknown as Setting);
  const whole = withImports(
    file,
    { 'steps/job': framed(file, job!, entries) },
    { commit: 'a'.repeat(40), of: [] } as never,
    { topsail } as never,
  );
  const git = { commit: 'a'.repeat(40), branch: 'main', epoch: 1_700_000_000 } as never;
  return plan({ ...whole, settings }, someFacts({ git, given }));
}
const edgesOf = (made: Plan) =>
  Object.fromEntries(
    made.steps
      .filter(({ id }) => id.startsWith('steps/'))
      .map(({ id, needs, wants, after }) => [
        id.slice('steps/job-'.length),
        [needs, wants, after].map((ids) => ids.flatMap((one) => /^steps\/job-(.*)/.exec(one)?.[1] ?? [])),
      ]),
  );
const leftOutOf = ({ assumed }: Plan) => Object.fromEntries((assumed ?? []).map((one) => [one.id, one.because]));

test('given the four, when they are planned, then each gets the files of the step before it, and the last waits for all', () => {
  expect(edgesOf(planned(CONFIG))).toEqual({
    clean: [[], [], []],
    prepare: [['clean'], [], []],
    test: [['prepare'], [], []],
    'clean-after': [[], [], ['clean', 'prepare', 'test']],
  });
});

test('given a prepared cluster, when prepare is left out, then the test waits for the clean-up and needs no files of it', () => {
  const made = planned(CONFIG, { skip: ['steps/job-prepare'] });
  expect(edgesOf(made)).toEqual({
    clean: [[], [], []],
    test: [[], ['clean'], []],
    'clean-after': [[], [], ['clean', 'test']],
  });
  expect(stepOf(made, 'steps/job-test').params).toMatchObject({
    run: expect.stringContaining('if [ -f "$INPUTS/inputs/shared.tar" ]'),
  });
  expect(planLines(made, sha256('plan'), colours(false)).join('\n')).toMatch(
    /steps\/job-prepare +--skip names it +needed by .*steps\/job-test/,
  );
});

test.each([
  ['clean', ['clean']],
  ['the first two', ['clean', 'prepare']],
  ['the test', ['test']],
  ['the test and the last clean-up', ['test', 'clean-after']],
  ['all but the test', ['clean', 'prepare', 'clean-after']],
])('given --skip of %s, when the four are planned, then the others are there', (_, gone) => {
  const made = planned(CONFIG, { skip: gone.map((one) => `steps/job-${one}`) });
  expect(Object.keys(edgesOf(made)).sort()).toEqual(
    ['clean', 'clean-after', 'prepare', 'test'].filter((one) => !gone.includes(one)),
  );
  expect(Object.keys(leftOutOf(made)).sort()).toEqual(gone.map((one) => `steps/job-${one}`).sort());
});

test('given `when` on the import, when its value is false, then all four are left out with value and line', () => {
  const text = TEXT.replace('import: topsail, env', 'import: topsail, when: tests.load, env');
  expect(Object.keys(edgesOf(planned(CONFIG.replace('scale: 10', 'scale: 10, load: true'), {}, text)))).toHaveLength(4);
  const made = planned(CONFIG.replace('scale: 10', 'scale: 10, load: false'), {}, text);
  expect(edgesOf(made)).toEqual({});
  expect(leftOutOf(made)['steps/job-test']).toBe(`config.tests.load is false (${PATH}:8)`);
});

const LIST = 'exec_list: { _only_: false, pre_cleanup_ci: null, prepare_ci: null, test_ci: null }\n';
test.each<[string, string, readonly string[]]>([
  ['nulls alone', LIST, []],
  ['one false', LIST.replace('prepare_ci: null', 'prepare_ci: false'), ['prepare']],
  [
    '_only_ and one true',
    LIST.replace('_only_: false', '_only_: true').replace('test_ci: null', 'test_ci: true'),
    ['clean', 'prepare'],
  ],
])('given exec_list with %s, when the four are planned, then it leaves out what upstream skips', (_, list, gone) => {
  const found = leftOutOf(planned(CONFIG + list));
  expect(Object.keys(found)).toEqual(gone.map((one) => `steps/job-${one}`));
  for (const because of Object.values(found))
    expect(because).toMatch(/^config\.exec_list\.\w+ is (false|null) \(.*:9\)$/);
});
