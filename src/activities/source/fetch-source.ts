import { fail } from '../../model/failure.js';
import type { SourceRef } from '../../model/params.js';
import { type GitSource, records } from '../../model/run-folder.js';
import type { Body, Made, Work } from '../work.js';
import { commitNotExported } from './errors.js';
import { fetchSdist } from './fetch-sdist.js';
import type { Archives } from './ports.js';

/** Puts the source of the release into the store, by digest. No step builds from a working tree. */
export const createFetchSource = ({ archives }: { readonly archives: Archives }): Body<'fetchSource'> =>
  async function fetchSource(work) {
    const { source } = work.step.params;
    return source.kind === 'git' ? takeCommit(work, source) : fetchSdist(work, source, archives);
  };

type Git = Extract<SourceRef, { kind: 'git' }>;

/** Takes the tree that `slipway run` exported into the store with the plan. Throws SOURCE_NOT_EXPORTED. */
async function takeCommit(work: Work<'fetchSource'>, { commit, folder }: Git): Promise<Made> {
  const found = await work.store.read<GitSource>(records.gitSource(commit, folder));
  if (found === null) throw fail(commitNotExported(commit));
  return {
    artifacts: [{ digest: found.digest, kind: 'source', name: 'source.tar', size: found.size, labels: { commit } }],
    facts: { epoch: found.epoch, commit, version: null },
    note: `commit ${commit.slice(0, 12)}${folder === undefined ? '' : `, ${folder}`}, ${found.size} bytes`,
  };
}
