/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changesIn } from '../../../src/adapters/facts/changed.js';
import { gatherFacts, NO_PAST, plan, planWithRows } from '../../../src/adapters/facts/index.js';
import { sha256 } from '../../../src/adapters/sha256.js';
import { colours } from '../../../src/cli/render/paint.js';
import { planLines } from '../../../src/cli/screens/plan.js';
import { whyPlanned } from '../../../src/engine/why/planned.js';
import { FEATURE_PLANS } from '../../../src/features/plan.js';
import { digestOf } from '../../../src/model/digest.js';
import type { Problem } from '../../../src/model/failure.js';
import type { Given } from '../../../src/model/plan.js';
import { nothingToDo } from '../../../src/plan/nothing-to-do.js';

const root = mkdtempSync(join(tmpdir(), 'slipway-changed-'));
afterAll(() => rmSync(root, { recursive: true }));
const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: folder })
    .toString()
    .trim();
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};
function commit(folder: string, message: string, files: Readonly<Record<string, string>>): string {
  write(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', message);
  return git(folder, 'rev-parse', 'HEAD');
}

const FILES = {
  'docs/index.md': 'a',
  'java/pom.xml': 'a',
  'java/api/src/Api.java': 'a',
  'java/runtime/src/Native.java': 'a',
  'python/pyproject.toml': 'a',
  'python/ray/_version.py': 'a',
};
const ENTRIES = `platforms: [linux-x86_64]
pythons: [cp311]
wheels: { ray: { folder: python, when: { changed: [python/**, '*.toml', python/*.toml] } } }
steps:
  docs: { needs: [source], run: 'ls docs', when: { changed: ['**/*.md'] } }
  java: { needs: [source], run: 'ls java', when: { changed: [java/**] } }
tests: { smoke: { needs: [wheels/ray], in: venv, run: 'echo ok', expect: ok, when: { changed: [python/**, java/**] } } }
`;
const WHOLE = `slipway: 1
pipeline: { name: pull, label: commit }
source: { git: .. }
${ENTRIES.replace(", '*.toml'", '')}`;

let made = 0;
/** A repository with one commit, and the release file in a folder of it. */
function aRepository(text = WHOLE, files: Readonly<Record<string, string>> = FILES) {
  const folder = join(root, String((made += 1)));
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main');
  const first = commit(folder, 'one', { ...files, 'release/slipway.yaml': text });
  return { folder, first, file: join(folder, 'release', 'slipway.yaml') };
}
const past = { ...NO_PAST, features: FEATURE_PLANS };
const planned = (file: string, given: Given = {}) => plan(file, 'local', given, past);
const problemsOf = (file: string, given: Given = {}): Promise<readonly Problem[]> =>
  planned(file, given).then(
    () => [],
    (error: { problems?: readonly Problem[] }) => error.problems ?? [],
  );
/** The screen of a plan below its digest. */
async function screenOf(file: string, given: Given): Promise<string> {
  const one = await planned(file, given);
  return planLines(one, digestOf(one, sha256), colours(false)).slice(3).join('\n');
}

test.each([
  [
    'docs',
    { 'docs/index.md': 'b' },
    `STAGE   STEP                      QUEUE         NEEDS
source  source/pull               control       (every proof)
prove   prove/queue/control       control
prove   prove/queue/linux-x86_64  linux-x86_64
steps   steps/docs                linux-x86_64  source/pull
report  report/run                control       (after everything)

Assumed done
  steps/java   no change since main touches java/** (paths changed: 1); java/pom.xml, java/api/src/Api.java, java/runtime/src/Native.java would have counted
  tests/smoke  no change since main touches python/**, java/** (paths changed: 1); java/pom.xml, python/pyproject.toml, python/ray/_version.py would have counted
  wheels/ray   no change since main touches python/**, python/*.toml (paths changed: 1); python/pyproject.toml, python/ray/_version.py would have counted

5 steps (source 1, prove 2, steps 1, report 1), 0 effects, 0 bundle files`,
  ],
  [
    'java',
    { 'java/api/src/Api.java': 'b' },
    `STAGE   STEP                            QUEUE         NEEDS
source  source/pull                     control       (every proof)
prove   prove/queue/control             control
prove   prove/queue/linux-x86_64        linux-x86_64
wheels  wheels/ray/cp311/linux-x86_64   linux-x86_64  source/pull
tests   tests/smoke/cp311/linux-x86_64  linux-x86_64  wheels/ray/cp311/linux-x86_64
steps   steps/java                      linux-x86_64  source/pull
report  report/run                      control       (after everything)

Assumed done
  steps/docs  no change since main touches **/*.md (paths changed: 1); docs/index.md would have counted

Unchanged, and planned for its files
  wheels/ray  no change since main touches python/**, python/*.toml (paths changed: 1); python/pyproject.toml, python/ray/_version.py would have counted  read by tests/smoke

7 steps (source 1, prove 2, wheels 1, tests 1, steps 1, report 1), 0 effects, 0 bundle files`,
  ],
  [
    'python',
    { 'python/ray/_version.py': 'b' },
    `STAGE   STEP                            QUEUE         NEEDS
source  source/pull                     control       (every proof)
prove   prove/queue/control             control
prove   prove/queue/linux-x86_64        linux-x86_64
wheels  wheels/ray/cp311/linux-x86_64   linux-x86_64  source/pull
tests   tests/smoke/cp311/linux-x86_64  linux-x86_64  wheels/ray/cp311/linux-x86_64
report  report/run                      control       (after everything)

Assumed done
  steps/docs  no change since main touches **/*.md (paths changed: 1); docs/index.md would have counted
  steps/java  no change since main touches java/** (paths changed: 1); java/pom.xml, java/api/src/Api.java, java/runtime/src/Native.java would have counted

6 steps (source 1, prove 2, wheels 1, tests 1, report 1), 0 effects, 0 bundle files`,
  ],
])(
  'given a commit that touches %s, then the plan since main has what it touches, and lists the rest',
  async (_, change, screen) => {
    const { folder, file } = aRepository();
    git(folder, 'checkout', '-qb', 'pull');
    commit(folder, 'two', change);
    expect(await screenOf(file, { since: 'main' })).toBe(screen);
  },
);

test('given no reference, then everything counts as changed, and the facts hold the same question', async () => {
  const { folder, file } = aRepository();
  commit(folder, 'two', { 'docs/index.md': 'b' });
  const one = await planned(file);
  expect(one).not.toHaveProperty('assumed');
  expect(one).not.toHaveProperty('kept');
  const { source } = await gatherFacts(file, 'local', root, {}, past);
  expect(source!.changed!['']!.changed).toMatchObject({ '': { base: null, paths: [] } });
});

test('given the facts of a plan, then the same plan is made without the repository', async () => {
  const { folder, first, file } = aRepository();
  commit(folder, 'two', { 'java/pom.xml': 'b' });
  const given = { since: first };
  const { plan: one, source } = await planWithRows(file, 'local', given, past);
  expect(one.imports).toEqual({ facts: digestOf(source, sha256), of: [] });
  const stored = JSON.parse(JSON.stringify(source)) as NonNullable<typeof source>;
  rmSync(join(folder, '.git'), { recursive: true });
  expect((await planWithRows(file, 'local', given, past, stored)).plan).toEqual(one);
  for (const other of [{}, { since: 'main' }])
    await expect(planWithRows(file, 'local', other, past, stored)).rejects.toMatchObject({
      problems: [{ code: 'FACTS_LACK' }],
    });
});

test('given a branch that went on meanwhile, then its own changes do not count', async () => {
  const { folder, file } = aRepository();
  git(folder, 'checkout', '-qb', 'pull');
  commit(folder, 'two', { 'docs/index.md': 'b' });
  git(folder, 'checkout', '-q', 'main');
  commit(folder, 'three', { 'java/pom.xml': 'b' });
  git(folder, 'checkout', '-q', 'pull');
  expect((await planned(file, { since: 'main' })).assumed?.map(({ id }) => id)).toEqual([
    'steps/java',
    'tests/smoke',
    'wheels/ray',
  ]);
});

test('given a deleted and a renamed file, then both names count', async () => {
  const { folder, first, file } = aRepository();
  git(folder, 'rm', '-q', 'java/pom.xml');
  git(folder, 'mv', 'docs/index.md', 'python/index.txt');
  commit(folder, 'two', {});
  expect(await planned(file, { since: first })).not.toHaveProperty('assumed');
});

test('given a folder of the repository as source, then its paths begin there, and others do not count', async () => {
  const text = WHOLE.replace('git: ..', 'git: .., folder: java')
    .replace(/^wheels.*\n|^ {2}docs.*\n|^tests.*\n/gm, '')
    .replace('java/**', 'api/**');
  const { folder, first, file } = aRepository(text);
  commit(folder, 'two', { 'java/pom.xml': 'b', 'docs/index.md': 'b', 'api/x': '' });
  const since = { since: first };
  expect((await planned(file, since)).assumed).toMatchObject([
    { because: `no change since ${first} touches api/** (paths changed: 1); api/src/Api.java would have counted` },
  ]);
  commit(folder, 'three', { 'java/api/new': '' });
  expect(await planned(file, since)).not.toHaveProperty('assumed');
});

test('given a merge that keeps the old folder, then what it takes back counts, and the folder keeps its identity', async () => {
  const text = `slipway: 1
pipeline: { name: pull, label: date }
source: { git: .., folder: java }
platforms: [linux-x86_64]
steps: { java: { needs: [source], run: 'ls', when: { changed: ['**'] } } }
`;
  const { folder, first, file } = aRepository(text);
  commit(folder, 'two', { 'java/pom.xml': 'b' });
  git(folder, 'checkout', '-qb', 'pull', first);
  git(folder, 'merge', '-q', '-s', 'ours', '-m', 'three', 'main');
  const { facts } = await gatherFacts(file, 'local', root, { since: 'main' }, past);
  expect(facts.git).toMatchObject({ commit: first, named: git(folder, 'rev-parse', 'HEAD') });
  expect(await planned(file, { since: 'main' })).not.toHaveProperty('assumed');
});

test('given a file with a line break in its name, then its change counts', async () => {
  const { folder, first, file } = aRepository();
  commit(folder, 'two', { 'java/a\nb': '' });
  expect((await planned(file, { since: first })).assumed?.map(({ id }) => id)).toEqual(['steps/docs']);
});

test('given an entry with a source of its own, then the paths of that source count', async () => {
  const other = aRepository(WHOLE, { 'lib/a': '', notes: '' });
  const text = `slipway: 1
pipeline: { name: pull, label: 'r-1' }
source: { git: .. }
sources: { other: { git: ${JSON.stringify(other.folder)} } }
platforms: [linux-x86_64]
steps:
  own: { needs: [source], run: 'ls', when: { changed: [lib/**] } }
  theirs: { source: other, needs: [source], run: 'ls', when: { changed: [lib/**] } }
`;
  const { folder, file } = aRepository(text, { 'lib/a': '', notes: '' });
  for (const one of [other.folder, folder]) git(one, 'tag', 'v1');
  commit(folder, 'two', { notes: 'b' });
  commit(other.folder, 'two', { 'lib/a': 'b' });
  expect((await planned(file, { since: 'v1' })).assumed?.map(({ id }) => id)).toEqual(['steps/own']);
});

test('given that nothing counts, then the run has nothing to do, and why says how to run a step', async () => {
  const { folder, first, file } = aRepository();
  commit(folder, 'two', { README: 'b' });
  const one = await planned(file, { since: first });
  expect(nothingToDo(one)).toBe(`no change since ${first} touches an entry`);
  expect(whyPlanned('steps/java', one)).toMatchObject({
    because: expect.stringMatching(/^was assumed done: no change since \w+ touches java/) as unknown,
    next: 'Leave `--since` out, or change one of these, and it runs.',
  });
  expect(nothingToDo(await planned(file, { since: first, only: ['steps/java'] }))).toBeNull();
});

describe('bad input', () => {
  test.each([
    ['an unknown reference', 'no', 'SINCE_UNKNOWN', '"no"'],
    ['a reference like an option', '--output=x', 'SINCE_UNKNOWN', '--output=x'],
    ['a reference with a line break', 'main\nmain', 'SINCE_UNKNOWN', 'main'],
    ['a range', 'main..main', 'SINCE_UNKNOWN', 'main..main'],
    ['a file', 'HEAD:java', 'SINCE_UNKNOWN', 'HEAD:java'],
    ['a branch of another history', 'alien', 'SINCE_WITHOUT_MERGE_BASE', 'no common ancestor'],
  ])('given %s, then it is refused at the source', async (_, since, code, message) => {
    const { folder, file } = aRepository();
    git(folder, 'checkout', '-q', '--orphan', 'alien');
    commit(folder, 'other', {});
    git(folder, 'checkout', '-q', 'main');
    expect(await problemsOf(file, { since })).toMatchObject([
      { code, message: expect.stringContaining(message) as unknown, place: { line: 3 } },
    ]);
  });

  test('given a shallow clone without the merge base, then the command that fetches it is told', async () => {
    const { folder, first } = aRepository();
    commit(folder, 'two', { 'java/pom.xml': 'b' });
    const second = commit(folder, 'three', { 'java/pom.xml': 'c' });
    git(folder, 'branch', 'old', first);
    const clone = join(root, `${String((made += 1))}-shallow`);
    git(root, 'clone', '-q', '--depth', '1', '--no-single-branch', `file://${folder}`, clone);
    const file = join(clone, 'release', 'slipway.yaml');
    const next = expect.stringContaining('git fetch --unshallow') as unknown;
    expect(await problemsOf(file, { since: 'origin/old' })).toMatchObject([{ code: 'SINCE_WITHOUT_MERGE_BASE', next }]);
    expect(await problemsOf(file, { since: `${second}~1` })).toMatchObject([{ code: 'SINCE_UNKNOWN', next }]);
  });

  test('given a reference that two sources lack, then both are reported', async () => {
    const { folder } = aRepository();
    const { file } = aRepository(
      `${WHOLE.replace('source: { git: .. }', `source: { git: .. }\nsources: { other: { git: ${JSON.stringify(folder)} } }`)}`.replace(
        'docs: {',
        'docs: { source: other,',
      ),
    );
    expect(await problemsOf(file, { since: 'no' })).toMatchObject([
      { code: 'SINCE_UNKNOWN', place: { line: 3 } },
      { code: 'SINCE_UNKNOWN', place: { line: 4 } },
    ]);
  });

  test('given a reference without a condition, then it is refused with both ways out', async () => {
    const { file } = aRepository(WHOLE.replace(/, when: \{[^}]*\}|when: \{[^}]*\}/g, ''));
    expect(await problemsOf(file, { since: 'main' })).toMatchObject([
      { code: 'SINCE_WITHOUT_CONDITION', next: expect.stringContaining('Leave `--since` out') as unknown },
    ]);
    expect(await problemsOf(file)).toEqual([]);
  });

  test('given a clone without trees, then the told command fetches them, and an unknown reference is still one', async () => {
    const { folder } = aRepository();
    commit(folder, 'two', { 'java/pom.xml': 'b' });
    git(folder, 'config', 'uploadpack.allowFilter', 'true');
    const clone = join(root, `${String((made += 1))}-treeless`);
    git(root, 'clone', '-q', '--bare', '--filter=tree:0', `file://${folder}`, clone);
    const file = join(root, `${made}.yaml`);
    writeFileSync(file, WHOLE.replace('git: ..', `git: ${JSON.stringify(clone)}`));
    const command = 'git fetch --refetch --filter=blob:none';
    for (const given of [{}, { since: 'main~1' }])
      expect(await problemsOf(file, given)).toMatchObject([
        { code: 'SOURCE_PATHS_UNREADABLE', next: expect.stringContaining(command) as unknown, place: { line: 3 } },
      ]);
    expect(await problemsOf(file, { since: 'no' })).toMatchObject([{ code: 'SINCE_UNKNOWN' }]);
    for (const key of ['gc.auto', 'maintenance.auto']) git(clone, 'config', key, '0');
    git(clone, ...command.split(' ').slice(1), '--quiet');
    expect((await planned(file, { since: 'main~1' })).assumed?.map(({ id }) => id)).toEqual(['steps/docs']);
  });

  test('given a list of paths that is too long, then a smaller source is told', async () => {
    const stopped = Object.assign(new Error('stdout maxBuffer length exceeded'), {
      code: 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER',
    });
    const repository = { ask: () => Promise.reject(stopped) } as never;
    const ask = { ask: 'changed', since: null, globs: ['a'] } as const;
    await expect(changesIn(repository, 'main:', ask, {})).rejects.toMatchObject({
      problems: [{ code: 'SOURCE_PATHS_UNREADABLE', next: expect.stringContaining('source.folder') as unknown }],
    });
  });

  test('given globs that match no file, then each is reported at its place, also without a reference', async () => {
    const text = WHOLE.replace('[java/**]', '[java, java/**, jvaa/**]').replace("['**/*.md']", "['*.md']");
    expect(await problemsOf(aRepository(text).file)).toMatchObject([
      {
        code: 'WHEN_GLOB_WITHOUT_FILE',
        path: 'steps.docs.when.changed[0]',
        message: expect.stringContaining('"*.md"') as unknown,
      },
      {
        code: 'WHEN_GLOB_WITHOUT_FILE',
        path: 'steps.java.when.changed[0]',
        message: expect.stringContaining('"java"') as unknown,
      },
      {
        code: 'WHEN_GLOB_WITHOUT_FILE',
        path: 'steps.java.when.changed[2]',
        message: expect.stringContaining('jvaa') as unknown,
      },
    ]);
  });

  const RULES = '! java docs\njava/\n@ java\n;\n*.md\n@ docs\n;\n*\n@ java docs\n';
  const tagged = (tags: string, rules = 'ci/a.rules.txt'): string =>
    WHOLE.replace('[java/**] } }\ntests', `{ rules: [${rules}], tags: [${tags}] } } }\ntests`);

  test('given rules and tags, then an entry is planned where the rules give a changed path one of its tags', async () => {
    const { folder, file, first } = aRepository(tagged('java'), { ...FILES, 'ci/a.rules.txt': RULES });
    const reasonsSince = async (): Promise<readonly string[]> =>
      ((await planned(file, { since: first })).assumed ?? []).map(({ id, because }) => `${id} ${because}`);
    commit(folder, 'two', { 'docs/index.md': 'b' });
    expect(await reasonsSince()).toContain(
      `steps/java no change since ${first} gives the tag java (paths changed: 1); ci/a.rules.txt:3, ci/a.rules.txt:9 would have`,
    );
    commit(folder, 'three', { 'java/pom.xml': 'b' });
    expect((await reasonsSince()).join(' ')).not.toContain('steps/java');
    expect((await planned(file)).assumed).toBeUndefined();
  });

  test('given facts of a plan with rules, when it is planned from them, then no repository is asked', async () => {
    const { folder, file, first } = aRepository(tagged('java'), { ...FILES, 'ci/a.rules.txt': RULES });
    commit(folder, 'two', { 'docs/index.md': 'b' });
    const { source, plan: one } = await planWithRows(file, 'local', { since: first }, past);
    rmSync(join(folder, '.git'), { recursive: true });
    expect((await planWithRows(file, 'local', { since: first }, past, source)).plan).toEqual(one);
  });

  test('given a change of the rules in the working tree alone, then those of the commit count', async () => {
    const { folder, file } = aRepository(tagged('java'), { ...FILES, 'ci/a.rules.txt': RULES });
    write(folder, { 'ci/a.rules.txt': 'no rules' });
    expect(await problemsOf(file)).toEqual([]);
  });

  test.each([
    [
      'an absent file',
      tagged('java', 'ci/b.rules.txt'),
      'RULES_FILE_ABSENT',
      'no file \\"ci/b.rules.txt\\"',
      'rules[0]',
    ],
    ['a folder', tagged('java', 'ci'), 'RULES_FILE_ABSENT', 'no file \\"ci\\"', 'rules[0]'],
    ['a link', tagged('java', 'ci/a.rules.txt, ci/link'), 'RULES_FILE_ABSENT', 'a link and no file', 'rules[1]'],
    ['a tag that no rule gives', tagged('java, doc'), 'WHEN_TAG_WITHOUT_RULE', 'mean \\"docs\\"', 'tags[1]'],
    ['no tag', tagged(''), 'WRONG_VALUE', 'at least one tag', 'tags'],
    ['a path that leaves', tagged('java', '../a'), 'WRONG_VALUE', 'stays inside its folder', 'rules[0]'],
  ])('given %s, then its place in the release file is reported', async (_, text, code, message, key) => {
    const { folder, file } = aRepository(text, { ...FILES, 'ci/a.rules.txt': RULES });
    symlinkSync('a.rules.txt', join(folder, 'ci', 'link'));
    commit(folder, 'a link', {});
    const found = await problemsOf(file);
    expect(found).toMatchObject([{ code, path: `steps.java.when.changed.${key}`, place: { line: 9 } }]);
    expect(JSON.stringify(found[0]!.message)).toContain(message);
  });

  test('given a mistake in a rules file, then its line is reported once, however many entries name it', async () => {
    const text = tagged('java').replace("['**/*.md']", '{ rules: [ci/a.rules.txt], tags: [docs] }');
    const { file } = aRepository(text, { ...FILES, 'ci/a.rules.txt': `${RULES};\n\n! late\n` });
    expect(await problemsOf(file)).toMatchObject([
      { code: 'RULES_LINE_UNKNOWN', place: { file: 'ci/a.rules.txt', line: 12 } },
    ]);
  });

  test('given a source that is no commit, then the condition is refused', async () => {
    const text = WHOLE.replace('git: ..', `sdist: ray==1.0, sha256: ${'a'.repeat(64)}`);
    expect(await problemsOf(aRepository(text.replace('label: commit', 'label: date')).file)).toHaveLength(4);
    expect((await problemsOf(aRepository(text.replace('label: commit', 'label: date')).file))[0]).toMatchObject({
      ...{ code: 'WHEN_CHANGED_WITHOUT_COMMIT', path: 'wheels.ray.when.changed' },
    });
  });

  test.each([
    ['an empty list', '[]', 'name at least one glob'],
    ['an absolute path', "['/java']", 'a path stays inside its folder'],
    ['a path that leaves', "['../x']", 'a path stays inside its folder'],
    ['a number', '[1]', '1 is a number'],
    ['a long glob', `[${'a'.repeat(501)}]`, 'at most 500 characters'],
  ])('given %s, then the schema refuses it', async (_, globs, message) => {
    const { file } = aRepository(WHOLE.replace('[java/**]', globs));
    expect(await problemsOf(file)).toMatchObject([
      { message: expect.stringContaining(message) as unknown, place: { line: 9 } },
    ]);
  });
});
