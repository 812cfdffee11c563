/** @slow */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { plan, submit } from '../../../src/adapters/facts/index.js';
import { createPlanner } from '../../../src/adapters/facts/planner.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { records } from '../../../src/model/run-folder.js';
import { aLineOfCommits } from '../../support/a-line-of-commits.js';
import { newHome } from '../../support/run-body.js';
import { fakeSignatures } from '../../support/sign-plan.js';

const shelf = (sources: string): string => `slipway: 1
pipeline: { name: shelf, label: 'r-1' }
sources:
${sources}
platforms: [linux-x86_64]
pythons: [cp311]
steps:
  boat: { source: boat, run: 'echo {commit}' }
  raft: { source: raft, run: 'echo {commit}' }
`;
const submitTo = async (file: string) => {
  const store = createDirectoryStore(join(await newHome(), 'store'));
  return { store, plan: (await submit(file, 'local', { store, signatures: fakeSignatures })).plan };
};

test('given commits of two repositories, then each is in the plan, and its tree is in the store', async () => {
  const raft = aLineOfCommits(3);
  const { file, commits } = aLineOfCommits(
    2,
    shelf(`  boat: { git: .., commit: main }\n  raft: { git: ${JSON.stringify(raft.root)}, commit: main }`),
  );
  const { store, plan: made } = await submitTo(file);
  const wanted = { 'source/boat': commits[1]!, 'source/raft': raft.commits[2]! };
  for (const [id, commit] of Object.entries(wanted)) {
    expect(made.steps.find((step) => step.id === id)?.params).toEqual({ source: { kind: 'git', commit } });
    expect(await store.read(records.gitSource(commit))).toMatchObject({ epoch: expect.any(Number) as unknown });
  }
});

test('given commits that are absent, then all of them are reported, each at its key', async () => {
  const { file } = aLineOfCommits(
    1,
    shelf(`  boat: { git: .., commit: v9 }\n  raft: { git: .., commit: main, folder: no }`),
  );
  await expect(plan(file, 'local')).rejects.toMatchObject({
    problems: [
      { code: 'COMMIT_ABSENT', path: 'sources.boat.commit' },
      { code: 'SOURCE_FOLDER_ABSENT', path: 'sources.raft.folder' },
    ],
  });
});

test('given a path that is no repository, then its key is reported', async () => {
  const { file } = aLineOfCommits(
    1,
    shelf(`  boat: { git: .. }\n  raft: { git: ${JSON.stringify(join(await newHome(), 'no'))} }`),
  );
  await expect(plan(file, 'local')).rejects.toMatchObject({
    problems: [{ code: 'GIT_ABSENT', path: 'sources.raft.git' }],
  });
});

test('given a repository that others may write, when a workflow names the file, then it is refused', async () => {
  const raft = aLineOfCommits(1);
  const { file, root } = aLineOfCommits(1, shelf(`  boat: { git: .. }\n  raft: { git: ${JSON.stringify(raft.root)} }`));
  chmodSync(join(raft.root, '.git', 'refs'), 0o777);
  const store = createDirectoryStore(join(await newHome(), 'store'));
  const planner = createPlanner(store, fakeSignatures, () => [root]);
  await expect(planner.submit(file, 'local', {})).rejects.toMatchObject({ first: { code: 'RELEASE_FILE_WRITABLE' } });
});
