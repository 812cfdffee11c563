import { why } from '../../src/engine/why/why.js';
import { planLines } from '../../src/cli/screens/plan.js';
import { SlipwayFailure, type Problem } from '../../src/model/failure.js';
import type { Json } from '../../src/model/json.js';
import type { Given, Plan } from '../../src/model/plan.js';
import { colours } from '../../src/cli/render/paint.js';
import { framed } from '../../src/plan/imports.js';
import { plan } from '../../src/plan/plan.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { HEAD, idsOf, planOf, sha256, someFacts, stepOf } from './a-plan.js';

const FILE = `${HEAD}wheels: { skiff: { packages: [gcc] }, keel: { prepare: { run: make } } }
images: { boat: { needs: [wheels/keel], index: platform } }
tests:
  sail: { needs: [wheels/skiff], run: echo 1, expect: '1' }
  row: { needs: [wheels/skiff], run: echo 1, expect: '1', packages: [jq] }
steps:
  clean: { run: 'true' }
  prepare: { needs: [steps/clean], run: 'true', matrix: { size: [small, large] } }
  chart: { needs: [steps/clean], run: 'true', outputs: [a.chart] }
  test: { needs: [steps/prepare], run: 'true' }
  read: { needs: [steps/chart], run: 'true' }
  clean-after: { after: [steps/test], run: 'true' }
publish: { index: { kind: python, files: [wheels/skiff] } }
`;
const of = (given: Given, text = FILE): Plan => planOf(text, { given });

/** Values of settings: those that the file has, at a line each. */
const VALUES: Readonly<Record<string, Json>> = {
  yes: true,
  no: false,
  nothing: null,
  text: 'true',
  number: 0,
  list: [],
};
const withSettings = (text: string, given: Given = {}): Plan =>
  plan(
    {
      ...readReleaseFile(text, 'slipway.yaml'),
      settings: {
        ...{ word: 'config', document: {}, digest: sha256('settings') },
        value: (path) =>
          Object.hasOwn(VALUES, path)
            ? { value: VALUES[path]!, from: { file: 'config.yaml', line: 12, column: 3 } }
            : { code: 'CONFIG_UNKNOWN_KEY', message: `"${path}" is not there`, next: 'Near: no.' },
      },
    },
    someFacts({ given }),
  );
function problemsIn(make: () => unknown): readonly Problem[] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}
const fileWith = (entry: string): string => FILE.replace('test: { needs: [steps/prepare],', `test: { ${entry}`);

test.each<[string, Given, readonly string[], readonly string[]]>([
  ['--skip of a step', { skip: ['steps/prepare'] }, ['steps/prepare'], ['steps/prepare/small']],
  ['--skip of a clean-up', { skip: ['steps/clean-after'] }, ['steps/clean-after'], ['steps/clean-after']],
  ['--skip of a test', { skip: ['tests/row'] }, ['tests/row'], ['bases/tests.row', 'tests/row']],
  ['--skip of an image with its index', { skip: ['images/boat'] }, ['images/boat'], ['images/boat', 'indexes/boat']],
  [
    '--skip of a prepared wheel and its image',
    { skip: ['wheels/keel', 'images/boat'] },
    ['images/boat', 'wheels/keel'],
    ['wheels/keel', 'prepare/keel'],
  ],
  [
    '--only of a step',
    { only: ['steps/clean', 'steps/test'] },
    ['steps/chart', 'steps/clean-after', 'steps/prepare', 'steps/read'],
    [],
  ],
  ['--only of a test', { only: ['tests/sail'] }, ['tests/row'], ['tests/row']],
  [
    '--only and --skip of one entry',
    { only: ['tests/row'], skip: ['tests/row'] },
    ['tests/row', 'tests/sail'],
    ['tests/'],
  ],
])('given %s, then the plan lists all that is left out, and has no step of it', (_, given, ids, gone) => {
  const made = of(given);
  expect(made.assumed?.map(({ id }) => id)).toEqual(ids);
  expect(made.dropped).toEqual([]);
  for (const { id } of made.steps) for (const one of gone) expect(id.startsWith(one)).toBe(false);
});

test('given a left-out step, then others keep their axes, and wait for what it would have waited for', () => {
  const made = of({ skip: ['steps/prepare'] });
  expect(made.assumed).toEqual([{ id: 'steps/prepare', because: '--skip names it', neededBy: ['steps/test'] }]);
  const { needs, wants } = stepOf(made, 'steps/test/large');
  expect([needs, wants]).toEqual([['source/skiff'], ['prove/queue/linux-x86_64', 'steps/clean']]);
});

test('given left-out steps one behind the other, then a clean-up runs after what they would have waited for', () => {
  const made = of({ skip: ['steps/prepare', 'steps/test'] });
  expect(stepOf(made, 'steps/clean-after').after).toContain('steps/clean');
  expect(idsOf(made, 'steps')).toEqual(['steps/chart', 'steps/clean', 'steps/clean-after', 'steps/read']);
});

test('given no option, then the plan has no such list', () => {
  expect(of({})).not.toHaveProperty('assumed');
});

test.each<[string, Given, string, string]>([
  [
    '--skip',
    { skip: ['steps/chart'] },
    'steps/read needs the files of steps/chart, which is left out: --skip names it',
    'Type no `--skip`, or',
  ],
  ['--skip', { skip: ['tests/row', 'steps/chart'] }, 'steps/read needs', 'Type `--skip tests/row`, or'],
  [
    '--only',
    { only: ['steps/read'] },
    'steps/read needs the files of steps/chart',
    'Type `--only steps/read,steps/chart`, or',
  ],
])(
  'given %s of an entry whose files are read, then the plan is refused with what to type',
  (_, given, message, next) => {
    expect(problemsIn(() => of(given))).toEqual([
      expect.objectContaining({
        ...{
          code: 'ASSUMED_KEEPS_FILES',
          message: expect.stringContaining(message),
          next: expect.stringContaining(next),
        },
        place: { file: 'slipway.yaml', line: 16, column: 19 },
      }),
    ]);
  },
);

test('given a step with optional inputs, when what it needs is left out, then it runs without these files', () => {
  const text = FILE.replace('read: { needs: [steps/chart],', 'read: { needs: [steps/chart], inputs: optional,');
  expect(stepOf(of({}, text), 'steps/read').needs).toContain('steps/chart');
  const { needs, wants } = stepOf(of({ skip: ['steps/chart'] }, text), 'steps/read');
  expect([needs, wants]).toEqual([['source/skiff'], ['prove/queue/linux-x86_64', 'steps/clean']]);
});

test('given --skip of a wheel that is tested and published, then each reader of it is named', () => {
  const found = problemsIn(() => of({ skip: ['wheels/skiff'] })).filter(({ code }) => code === 'ASSUMED_KEEPS_FILES');
  expect(found.map(({ message }) => message.split(' ')[0])).toEqual(['tests/sail', 'tests/row', 'publish/index']);
});

test('given ids that may not be left out, then all are named at once, with near names', () => {
  const found = problemsIn(() =>
    of({ skip: ['steps/prepar', 'publish/index'], only: ['nothing/at', 'steps/constructor'] }),
  );
  expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'UNKNOWN_ENTRY: --skip names "steps/prepar", and no entry has that id; did you mean "steps/prepare"?',
    'ENTRY_NOT_LEFT_OUT: --skip names publish/index, and nothing of this section counts as done without having run',
    'UNKNOWN_ENTRY: --only names "nothing/at", and no entry has that id',
    'UNKNOWN_ENTRY: --only names "steps/constructor", and no entry has that id',
  ]);
});

test.each<[string, string | null]>([
  ['yes', null],
  ['no', 'config.no is false (config.yaml:12)'],
  ['nothing', 'config.nothing is null (config.yaml:12)'],
])('given `when: %s`, then the entry is planned, or left out with value and line', (path, because) => {
  const made = withSettings(fileWith(`when: ${path}, matrix: { size: [small, large] }, needs: [steps/prepare],`));
  expect(made.assumed ?? []).toEqual(because === null ? [] : [{ id: 'steps/test', because, neededBy: [] }]);
  expect(idsOf(made, 'steps/test')).toEqual(because === null ? ['steps/test/large', 'steps/test/small'] : []);
});

test.each([
  ['text', 'WHEN_NOT_BOOLEAN', '`when` reads config.text, which is "true" (config.yaml:12): no boolean'],
  ['number', 'WHEN_NOT_BOOLEAN', 'which is 0'],
  ['list', 'WHEN_NOT_BOOLEAN', 'which is []'],
  ['absent', 'CONFIG_UNKNOWN_KEY', '"absent" is not there'],
])('given `when: %s`, then it is a problem with its place', (path, code, message) => {
  expect(problemsIn(() => withSettings(fileWith(`when: ${path},`)))).toEqual([
    expect.objectContaining({
      ...{ code, message: expect.stringContaining(message), path: 'steps.test.when' },
      place: { file: 'slipway.yaml', line: 15, column: 17 },
    }),
  ]);
});

test('given `when` in a file without settings, then it is refused at its place', () => {
  expect(problemsIn(() => of({}, fileWith('when: no,')))).toMatchObject([
    { code: 'WITHOUT_SETTINGS', path: 'steps.test.when', place: { line: 15 } },
  ]);
});

test('given `when` on what a left-out entry needs, then --skip goes before it', () => {
  const made = withSettings(fileWith('when: no,'), { skip: ['steps/test'] });
  expect(made.assumed).toMatchObject([{ id: 'steps/test', because: '--skip names it' }]);
});

test.each<[Given, string, string]>([
  [
    { skip: ['steps/prepare'] },
    'was assumed done for steps/test: --skip names it',
    'Take steps/prepare out of --skip, and it runs.',
  ],
  [{ only: ['steps/clean'] }, 'was assumed done: --only does not name it', 'Choose steps/prepare too, and it runs.'],
])('given %j, then `plan` and `why` say that the entry is assumed done', (given, because, next) => {
  const made = of(given);
  const facts = { step: 'steps/prepare', plan: made, status: {} as never, making: null, maker: null, windows: {} };
  expect(why(facts, sha256)).toMatchObject({ because, next });
  const lines = planLines(made, sha256('plan'), colours(false)).join('\n');
  expect(lines).toMatch(/Assumed done\n(.*\n)*? {2}steps\/prepare +--/);
});

test('given an import with `when`, then each of its entries has it', () => {
  const said = { import: 'raydepsets', file: 'a.depsets.yaml', when: 'no' } as const;
  const file = readReleaseFile(`${HEAD}deps: { all: ${JSON.stringify(said)} }`, 'slipway.yaml');
  const one = { name: 'base', entry: { requires: ['x'] }, origin: { file: 'a' }, places: {}, because: null };
  const [entry] = framed(file, { section: 'deps', name: 'all', id: 'deps/all', say: said as never }, [one]);
  expect(entry!.entry).toEqual({ requires: ['x'], when: 'no' });
});
