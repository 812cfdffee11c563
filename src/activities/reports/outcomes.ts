import { Outcome as OutcomeSchema } from '../../model/schema/outcome.js';
import { rayRow } from '../../model/tests/ray-row.js';
import type { Outcome } from '../../model/tests/outcome.js';
import type { JsonObject } from '../../model/json.js';
import { records } from '../../model/run-folder.js';
import type { Work } from '../work.js';
import type { TableRow } from './ports.js';

const AT_ONCE = 16;

/** Returns a row for each attempt of the run's tests, sorted by name. Records that are no outcome are left out and counted. */
export async function rowsOf(
  work: Pick<Work, 'plan' | 'run' | 'store'>,
): Promise<{ readonly rows: readonly TableRow[]; readonly unreadable: number }> {
  const folder = records.outcomes(work.plan.release.name, work.run);
  const names = [...(await work.store.list(folder))].sort();
  const rows: TableRow[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map((name) => work.store.read<unknown>(name)));
    for (const [index, value] of found.entries()) {
      const { data } = OutcomeSchema.safeParse(value);
      if (data !== undefined && data.run === work.run) rows.push(rowOf(some[index]!.slice(folder.length), data));
    }
  }
  return { rows, unreadable: names.length - rows.length };
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
