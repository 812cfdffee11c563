import { keepAction, readStandings } from '../../activities/standings/chain.js';
import type { Store } from '../../activities/ports.js';
import type { Past } from '../../activities/plan/ports.js';
import { readReleaseText, type ReleaseText } from '../../adapters/facts/release-text.js';
import { openHomeKeys, keysFolder } from '../../adapters/home-keys/open.js';
import { provedStore } from '../../adapters/home-keys/proved-store.js';
import { fail, type SlipwayFailure } from '../../model/failure.js';
import { records } from '../../model/run-folder.js';
import { standingsHead } from '../../plan/read/standings-head.js';
import { noStandingsSection } from './errors.js';
import type { TestsPort } from '../ports.js';

interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly store: () => Promise<Store>;
}

/** Reads standings for planning. */
export const standingsReader =
  (here: Here): Past['standings'] =>
  async (chain) =>
    readStandings(await proved(here), chain);

/** The standings of a file's tests. Records count only with a proof by a key of this home. */
export async function openTests(file: string, profile: string, here: Here): Promise<TestsPort> {
  const read = await readReleaseText(file, process.cwd());
  const head = standingsHead(read.text, read.shown);
  if (head === null) throw await refusal(read);
  const chain = { pipeline: head.name, profile, branch: head.branch };
  return {
    chain,
    nowMs: Date.now(),
    read: async () => readStandings(await proved(here), chain),
    outcomes: async (run, test) => {
      const { readOutcomes } = await import('../../activities/read-outcomes.js');
      const read = await readOutcomes(await proved(here), records.outcomes(chain.pipeline, run, test));
      return read.outcomes.map(({ outcome }) => outcome);
    },
    act: async (action) => keepAction(await proved(here), chain, action),
  };
}

/** Returns the problem of a file without standings. Throws the problems of its schema. */
async function refusal(read: ReleaseText): Promise<SlipwayFailure> {
  const { parsedRelease } = await import('../../adapters/facts/release-text.js');
  parsedRelease(read);
  return fail(noStandingsSection(read.shown));
}

const proved = async ({ env, home, store }: Here): Promise<Store> =>
  provedStore(await store(), openHomeKeys(keysFolder(env, home)));
