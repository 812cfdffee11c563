import { records, type StartedFrom } from '../model/run-folder.js';
import { type BuildkiteJob, buildkiteJob } from '../model/tests/buildkite.js';
import type { Work } from './work.js';

/** Reads which job of Buildkite started the run. Null without one. */
export async function readBuildkiteJob({ store, run }: Pick<Work, 'store' | 'run'>): Promise<BuildkiteJob | null> {
  const from = await store.read<StartedFrom>(records.file(run));
  return buildkiteJob(from?.buildkite?.url, from?.buildkite?.job);
}
