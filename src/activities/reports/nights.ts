import type { RunId } from '../../model/ids.js';
import { type Chain, records } from '../../model/run-folder.js';
import type { Standings } from '../../model/tests/standing.js';
import { standingsFault } from '../../model/tests/standings-fault.js';
import type { Store } from '../ports.js';

/** Older nights stay unreported. */
const MOST_NIGHTS = 30;

/** Returns the standings whose moves a report has not carried out, the oldest first; the last is that of this run. Empty if the run
 * moved no standings, or was reported. A new report begins with this night; a report that failed makes up for its nights. A run
 * that has not ended reports its own night.
 * @param report name of the report */
export async function unreported(
  store: Pick<Store, 'list' | 'read' | 'create'>,
  chain: Chain,
  report: string,
  run: RunId,
): Promise<readonly Standings[]> {
  const done = new Set(await numbers(store, records.reported(chain, report)));
  const open = (await numbers(store, records.standings(chain))).slice(-MOST_NIGHTS).filter((no) => !done.has(no));
  const found = await Promise.all(open.map((no) => store.read<Standings>(records.standings(chain, no))));
  const known = found.flatMap((one) => (one === null || standingsFault(one) !== null ? [] : [one]));
  const own = known.find((one) => nightOf(one).run === run);
  if (own === undefined) return [];
  const ownNo = nightOf(own).no;
  const { value: begin } = await store.create(records.reportBegins(chain, report), { no: ownNo });
  const before = known.filter((one) => nightOf(one).no >= begin.no && nightOf(one).no < ownNo);
  const ended = await Promise.all(before.map((one) => store.read(records.status(nightOf(one).run))));
  return [...before.filter((_, at) => ended[at] !== null), own];
}

export const nightOf = ({ nights }: Standings): Standings['nights'][number] => nights.at(-1)!;

async function numbers(store: Pick<Store, 'list'>, folder: string): Promise<readonly number[]> {
  return [...(await store.list(folder))].sort().map((name) => Number(name.slice(folder.length)));
}

export async function noteReported(
  store: Pick<Store, 'create'>,
  standings: Standings,
  report: string,
  run: RunId,
): Promise<void> {
  await store.create(records.reported(chainOf(standings), report, nightOf(standings).no), { run });
}

export const chainOf = ({ pipeline, profile, branch }: Chain): Chain => ({ pipeline, profile, branch });
