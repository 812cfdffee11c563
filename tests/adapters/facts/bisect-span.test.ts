import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSpan } from '../../../src/adapters/facts/bisect-span.js';
import { plan } from '../../../src/adapters/facts/index.js';
import { givenFor } from '../../../src/model/bisect.js';
import { SlipwayFailure } from '../../../src/model/failure.js';
import { assertTriable } from '../../../src/plan/probe.js';
import { aLineOfCommits, git, NIGHT } from '../../support/a-line-of-commits.js';

const { root, file, commits } = aLineOfCommits(6);
const codesOf = (asked: Promise<unknown>): Promise<readonly string[]> =>
  asked.then(
    () => [],
    (error: unknown) => {
      if (error instanceof SlipwayFailure) return error.problems.map(({ code }) => code);
      throw error;
    },
  );

test('given two ends, then it returns the first-parent commits between them, with both ends', async () => {
  git(root, 'checkout', '-q', '-b', 'side', commits[2]!);
  writeFileSync(join(root, 'side'), '');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'side');
  git(root, 'checkout', '-q', 'main');
  git(root, 'merge', '-q', '--no-ff', '-m', 'merge', 'side');
  const merge = git(root, 'rev-parse', 'HEAD');

  const span = await readSpan(file, { good: commits[1]!.slice(0, 10), bad: 'main' });

  expect(span).toEqual({ pipeline: 'night', commits: [...commits.slice(1), merge] });
  expect(await codesOf(readSpan(file, { good: 'side', bad: 'main' }))).toEqual(['BISECT_NO_PATH']);
});

test.each<[string, string, string, readonly string[]]>([
  ['the ends swapped', commits[4]!, commits[1]!, ['BISECT_ENDS_SWAPPED']],
  ['the same commit twice', commits[4]!, commits[4]!.slice(0, 12), ['BISECT_SAME_COMMIT']],
  ['two unknown commits', 'nowhere', '--all', ['BISECT_COMMIT_ABSENT', 'BISECT_COMMIT_ABSENT']],
])('given %s, then it is refused', async (_, good, bad, codes) => {
  expect(await codesOf(readSpan(file, { good, bad }))).toEqual(codes);
});

test.each<[string, string, string]>([
  [
    'a release',
    NIGHT.replace('pipeline: { name: night, label: date }', "release: { name: night, version: '1' }"),
    'BISECT_NOT_A_PIPELINE',
  ],
  ['an sdist', NIGHT.replace('{ git: .. }', `{ sdist: night==1, sha256: ${'a'.repeat(64)} }`), 'BISECT_NO_GIT'],
])('given %s in place of a pipeline with commits, then it is refused', async (_, text, code) => {
  const other = aLineOfCommits(1, text);
  expect(await codesOf(readSpan(other.file, { good: 'HEAD', bad: 'HEAD' }))).toEqual([code]);
});

describe('the plan of a try', () => {
  const probe = { test: 'sail', commit: commits[2]!, label: 'bisect-sail-1' };

  test('has the given commit and label, and no other test', async () => {
    const made = await plan(file, 'local', givenFor(probe));

    expect(made.source).toMatchObject({ commit: commits[2] });
    expect(made.release).toEqual({ name: 'night', version: 'bisect-sail-1' });
    const ids = made.steps.map(({ id }) => id).filter((id) => id.startsWith('tests/'));
    expect([...new Set(ids.map((id) => id.split('/')[1]))]).toEqual(['sail']);
    expect(() => assertTriable(made)).not.toThrow();
  });

  test('given a file that publishes, or an unknown test, then it is refused', async () => {
    const text = `${NIGHT}pythons: [cp311]\nwheels: { boat: {} }\npublish:\n  index: { kind: python, files: [wheels/boat] }\n`;
    const publishing = aLineOfCommits(1, text);
    const at = { ...probe, commit: publishing.commits[0]! };

    const codes = codesOf(plan(publishing.file, 'local', givenFor(at)).then(assertTriable));

    expect(await codes).toEqual(['BISECT_CHANGES_TARGETS']);
    expect(await codesOf(plan(file, 'local', givenFor({ ...probe, test: 'sial' })))).toEqual(['UNKNOWN_ENTRY']);
  });
});
