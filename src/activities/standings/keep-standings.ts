import { fold, noStandings } from '../../engine/standings/fold.js';
import { newsOf, NO_NEWS, type StandingsNews } from '../../engine/standings/news.js';
import { counted } from '../../model/counted.js';
import { records, type Chain } from '../../model/run-folder.js';
import type { Standings, StandingsPolicy } from '../../model/tests/standing.js';
import type { Body, Made, Work } from '../work.js';
import { readChain } from './chain.js';
import { testsOfNight } from './night-of-run.js';
import { startBisects, type Bisects } from './start-bisects.js';

interface StandingsPorts {
  /** Absent: this worker starts none. */
  readonly bisects?: Bisects;
  /** Milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** Folds the outcomes of a run into the standings of its branch. A run on another branch changes none. */
export const createKeepStandings =
  ({ bisects, nowMs = Date.now }: StandingsPorts = {}): Body<'keepStandings'> =>
  async (work) => {
    const at = new Date(nowMs()).toISOString();
    const policy = work.step.params;
    const tests = await testsOfNight(work, at);
    const { branch } = work.plan.source;
    if (branch !== policy.branch) {
      await keepNews(work, NO_NEWS);
      return made({}, `a run of ${branch ?? 'no branch'} counts for nothing; only ${policy.branch} does`);
    }
    const chain = { pipeline: work.plan.release.name, profile: work.plan.profile.name, branch };
    const standings = await keepNight(work, chain, { at, tests }, policy);
    const news = await keepNews(work, newsOf(standings, work.run));
    const record = records.standings(chain, standings.nights.at(-1)?.no ?? 0);
    const mayStart = policy.startsBisects === true && bisects !== undefined;
    const findings = mayStart ? await startBisects(work, standings, bisects, nowMs()) : [];
    return { ...made({ record }, noteOf(standings, news)), findings };
  };

const made = (facts: Made['facts'] & object, note: string): Made => ({ artifacts: [], facts, note });

/** Writes the next record. Another run may write it first: then this run is folded into that record. */
async function keepNight(
  { store, run, plan }: Work,
  chain: Chain,
  { at, tests }: { readonly at: string; readonly tests: Awaited<ReturnType<typeof testsOfNight>> },
  policy: StandingsPolicy,
): Promise<Standings> {
  const commit = plan.source.kind === 'git' ? plan.source.commit : null;
  const night = { run, label: plan.release.version, at, commit, tests };
  for (;;) {
    const { last, no, actions } = await readChain(store, chain);
    const next = fold(last ?? noStandings(chain), night, actions, policy);
    if (next === last) return last;
    const { created, value } = await store.create(records.standings(chain, no + 1), next);
    if (created) return value;
  }
}

/** For the last screen of the run. */
async function keepNews({ store, run }: Work, news: StandingsNews): Promise<StandingsNews> {
  return (await store.create(records.standingsNews(run), news)).value;
}

function noteOf({ tests }: Standings, { newly, known, tolerated }: StandingsNews): string {
  const parts = [
    [newly.length, 'newly failing'],
    [known.length, 'known'],
    [tolerated.length, 'tolerated'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [counted(Object.keys(tests).length, 'test'), ...told].join(', ');
}
