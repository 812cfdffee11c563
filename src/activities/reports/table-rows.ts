import { rayRow } from '../../model/tests/ray-row.js';
import type { Outcome } from '../../model/tests/outcome.js';
import type { JsonObject } from '../../model/json.js';
import { records } from '../../model/run-folder.js';
import { readOutcomes } from '../read-outcomes.js';
import type { Work } from '../work.js';
import type { TableRow } from './ports.js';

/** Returns a row for each attempt of the run's tests, sorted by name. Records that are no outcome of the run are left out and counted. */
export async function rowsOf({
  plan,
  run,
  store,
}: Pick<Work, 'plan' | 'run' | 'store'>): Promise<{ readonly rows: readonly TableRow[]; readonly unreadable: number }> {
  const read = await readOutcomes(store, records.outcomes(plan.release.name, run));
  const own = read.outcomes.filter(({ outcome }) => outcome.run === run);
  return {
    rows: own.map(({ name, outcome }) => rowOf(name, outcome)),
    unreadable: read.unreadable + read.outcomes.length - own.length,
  };
}

/** The 20 fields of Ray's row, and ours. @param name `TEST/REPEAT-ATTEMPT` */
function rowOf(name: string, outcome: Outcome): TableRow {
  const { pipeline, label, profile, run, step, repeat, attempt, at, code, phase, exit, message } = outcome;
  const ours: JsonObject = {
    ...{ pipeline, label, profile, run, step, test: name.split('/')[0]!, repeat, attempt, at },
    ...{ code, class: outcome.class, phase, exit, message, owner: outcome.owner },
    nodes_seen: outcome.nodes.seen,
    nodes_lost: outcome.nodes.lost.map(({ node, atMs }) => ({ node, at_ms: atMs })),
    tested: outcome.tested.map(({ name: file, digest }) => ({ name: file, digest })),
  };
  return { key: `${run}/${name}`, row: { ...rayRow(outcome), ...ours } };
}
