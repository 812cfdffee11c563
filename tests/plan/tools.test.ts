import type { Facts } from '../../src/plan/facts.js';
import { idsOf, planOf, problemsOf, stepOf } from './a-plan.js';

const [X86, ARM] = ['a'.repeat(64), 'b'.repeat(64)];
const RAYMAKE = `raymake: { version: { file: .rayciversion }, at: 'https://tools.example.invalid/{version}/raymake-{platform}', sha256: { linux-x86_64: ${X86}, linux-aarch64: ${ARM} } }`;
const HEAD = `slipway: 1
pipeline: { name: boat, label: commit }
source: { git: . }
platforms: [linux-x86_64]
pythons: [cp311]
`;
const fileOf = (tools: string, steps: string): string => `${HEAD}tools:\n  ${tools}\n${steps}`;
const STEP = "steps: { make: { needs: [source], run: 'raymake all', tools: [raymake, gmake] } }\n";
const commitOf = (files: Record<string, string | null>): Partial<Facts> => ({
  git: { commit: 'c'.repeat(40), branch: 'main', epoch: 1, files },
});
const AT_33 = commitOf({ '.rayciversion': '0.33.0\n' });
const problemsIn = (steps: string, { tools = RAYMAKE, facts = AT_33 } = {}): readonly string[] =>
  problemsOf(fileOf(tools, steps), facts).map(
    ({ code, path, place, message }) => `${code} ${path} :${place?.line} ${message}`,
  );

test('given an entry that names a tool, then control fetches its version for the machine once, and the entry needs it', () => {
  const two = `${STEP.trimEnd().slice(0, -2)}, also: { needs: [source], run: 'true', tools: [raymake] } }\n`;
  const made = planOf(fileOf(RAYMAKE, two), AT_33);
  expect(idsOf(made, 'tools')).toEqual(['tools/raymake/linux-x86_64']);
  expect(stepOf(made, 'tools/raymake/linux-x86_64')).toMatchObject({
    ...{ kind: 'fetchTool', on: 'control', stage: 'source' },
    params: {
      ...{ tool: 'raymake', says: '0.33.0', file: '.rayciversion', machine: 'linux-x86_64', sha256: X86 },
      at: 'https://tools.example.invalid/0.33.0/raymake-linux-x86_64',
    },
  });
  expect(stepOf(made, 'steps/make').needs).toEqual(['source/boat', 'tools/raymake/linux-x86_64']);
  expect(stepOf(made, 'steps/also').needs).toContain('tools/raymake/linux-x86_64');
});

test('given a tool of the section and one of the worker, then a proof asks for the one of the worker alone', () => {
  const made = planOf(fileOf(RAYMAKE, STEP), AT_33);
  expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({ tools: ['gmake'] });
});

test('given a tool that no entry names, then nothing is fetched', () => {
  const made = planOf(fileOf(RAYMAKE, "steps: { make: { needs: [source], run: 'true' } }\n"), AT_33);
  expect(idsOf(made, 'tools')).toEqual([]);
});

test('given an entry on a queue of other machines, then the tool is the one of the machine, not of the platform', () => {
  const gpu = (on: string): string => STEP.replace("run: 'raymake all'", `run: 'raymake all', on: ${on}`);
  const platforms = HEAD.replace('[linux-x86_64]', '{ linux-x86_64: {}, card: { like: linux-aarch64, queue: gpu } }');
  const planned = (on: string) => planOf(fileOf(RAYMAKE, gpu(on)).replace(HEAD, platforms), AT_33);
  expect(idsOf(planned('gpu'), 'tools')).toEqual(['tools/raymake/linux-aarch64']);
  expect(idsOf(planned('linux-aarch64'), 'tools')).toEqual(['tools/raymake/linux-aarch64']);
});

test('given wheels with a preparation, then both have the tool', () => {
  const wheel = `wheels: { boat: { builder: command, run: 'raymake {out}', tools: [raymake], prepare: { run: raymake } } }\n`;
  const made = planOf(fileOf(RAYMAKE, wheel), AT_33);
  for (const id of ['wheels/boat/cp311/linux-x86_64', 'prepare/boat'])
    expect(stepOf(made, made.steps.find((one) => one.id.startsWith(id))!.id).needs).toContain(
      'tools/raymake/linux-x86_64',
    );
});

test.each([
  ['no such file', null, 'commit cccccccccccc has no such file'],
  ['two lines', '0.33.0\n0.34.0\n', 'it has 2 lines'],
  ['a path', '../evil\n', '"../evil" is none'],
  ['a path behind a version', '0.33/../evil', '"0.33/../evil" is none'],
  ['blanks', '0.33.0 \n', '"0.33.0 " is none'],
  ['nothing', '', '"" is none'],
])('given a version file with %s, then the plan says so at its line', (_what, text, why) => {
  expect(problemsIn(STEP, { facts: commitOf({ '.rayciversion': text }) })).toEqual([
    `TOOL_VERSION_UNREADABLE tools.raymake.version.file :7 no version in ".rayciversion": ${why}`,
  ]);
});

test('given a version file, and a source that is no commit, then it is refused', () => {
  const sdist = fileOf(RAYMAKE, STEP)
    .replace('label: commit', 'label: date')
    .replace('{ git: . }', `{ sdist: boat==1, sha256: ${X86} }`);
  expect(problemsOf(sdist)).toMatchObject([{ code: 'TOOL_VERSION_UNREADABLE', path: 'tools.raymake.version.file' }]);
});

test('given a written version, then no file is read', () => {
  const tools = RAYMAKE.replace('{ file: .rayciversion }', "'1.0'");
  const made = planOf(fileOf(tools, STEP), commitOf({}));
  expect(stepOf(made, 'tools/raymake/linux-x86_64').params).toMatchObject({ says: '1.0', file: null });
});

test('given no digest for a machine, then the plan names the machine, the entry and the nearest key', () => {
  expect(problemsIn(STEP, { tools: RAYMAKE.replace('linux-x86_64:', 'linux-x86-64:') })).toEqual([
    'TOOL_WITHOUT_DIGEST tools.raymake.sha256 :7 steps/make runs on linux-x86_64, and "raymake" has no sha256 for it; did you mean "linux-x86-64"?',
  ]);
});

test('given a misspelt tool, then the plan suggests the one of the section', () => {
  expect(problemsIn(STEP.replace('raymake, gmake', 'raymaek'))).toEqual([
    'TOOL_UNKNOWN steps.make.tools[0] :8 "raymaek" is no entry of `tools`; did you mean "raymake"?',
  ]);
});

test('given programs of the worker that are like a tool, then they are not taken for it', () => {
  const tools = RAYMAKE.replace('raymake:', 'cmake:');
  expect(problemsIn("steps: { make: { run: 'make', tools: [make, ninja] } }\n", { tools })).toEqual([]);
});

test.each(['git', 'tar', 'python3.11', 'Git', 'mount', 'gcc-12'])(
  'given a tool with the name %s, then it is refused: a step might call it',
  (name) => {
    expect(
      problemsIn(`steps: { make: { run: 'true', tools: [${name}] } }\n`, {
        tools: RAYMAKE.replace('raymake:', `${name}:`),
      }),
    ).toEqual([
      `TOOL_NAME_RESERVED tools.${name} :7 "${name}" is the name of a program that Slipway or its steps call`,
    ]);
  },
);

test.each([
  [
    'a step that tidies up',
    "steps: { make: { run: 'true', after: [steps/a], tools: [raymake] }, a: { run: 'true' } }",
    'steps/make',
  ],
  [
    'a test in an image',
    "tests: { make: { in: image, run: 'true', expect: x, needs: [images/a], tools: [raymake] } }\nimages: { a: { dockerfile: Dockerfile } }",
    'tests/make',
  ],
  ['a wheel by cibuildwheel', 'wheels: { make: { builder: cibuildwheel, tools: [raymake] } }', 'wheels/make'],
])('given %s that names a tool, then it is refused', (_what, text, id) => {
  const found = problemsIn(`${text}\n`).filter((one) => one.startsWith('TOOL_'));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`TOOL_NOT_HERE ${id.replace('/', '.')}.tools :`);
  expect(found[0]).toContain(`${id} cannot have "raymake"`);
});

test.each([
  ['a version in the host', "'https://{version}.example.invalid/raymake'"],
  ['a user', "'https://kim:pass@tools.example.invalid/raymake'"],
  ['a query', "'https://tools.example.invalid/raymake?token=1'"],
  ['no scheme of the web', "'file:///etc/passwd'"],
])('given an address with %s, then it is refused', (_what, at) => {
  const tools = RAYMAKE.replace(/'https[^']*'/, at);
  expect(problemsIn(STEP, { tools })[0]).toContain('WRONG_VALUE tools.raymake.at :7');
});

test('given an unknown placeholder in an address, then the plan names those that are known', () => {
  expect(problemsIn(STEP, { tools: RAYMAKE.replace('{version}', '{verion}') })[0]).toContain(
    'UNKNOWN_TEXT tools.raymake.at :7 {verion} is no placeholder here; did you mean "version"?',
  );
});

test('given several wrong tools, then the plan tells all of them', () => {
  const tools = `${RAYMAKE}\n  git: { version: { file: git.txt }, at: 'https://tools.example.invalid/git', sha256: {} }`;
  expect(
    problemsIn(STEP.replace('gmake', 'raymaek, git'), { tools })
      .map((one) => one.split(' ')[0])
      .sort(),
  ).toEqual([...['TOOL_NAME_RESERVED', 'TOOL_UNKNOWN', 'TOOL_VERSION_UNREADABLE', 'TOOL_WITHOUT_DIGEST']]);
});
