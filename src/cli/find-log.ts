import type { Store } from '../activities/ports.js';
import { fail } from '../model/failure.js';
import { namesIn } from '../model/ids.js';
import { records, type Started } from '../model/run-folder.js';
import { manySteps, noLog, noRuns, unknownRun } from './errors.js';

type Named = Pick<Started, 'workflowId' | 'run'>;

/** Returns the runs that the text of a person names: by workflow id, else by name or `pipeline/NAME`, else by the begin of a run id.
 * A name may look like a run id. No text names every run. */
export function runsNamed<T extends Named>(all: readonly T[], asked: string | undefined): readonly T[] {
  if (asked === undefined) return all;
  const names = ({ workflowId }: Named): readonly string[] => {
    const said = namesIn(workflowId);
    return said === null ? [] : [said.name, `${said.kind}/${said.name}`];
  };
  const ways = [
    ({ workflowId }: Named) => workflowId === asked,
    (one: Named) => names(one).includes(asked),
    ({ run }: Named) => run.startsWith(asked),
  ];
  return ways.map((isNamed) => all.filter(isNamed)).find((found) => found.length > 0) ?? [];
}

/** The newest run that the store knows of, or the newest that a person means. Asks no server. */
export async function newestRun(store: Store, asked: string | undefined): Promise<Started> {
  const names = await store.list(records.started(''));
  const all = (await Promise.all(names.map((name) => store.read<Started>(name)))).filter((one) => one !== null);
  const newest = runsNamed(all, asked).toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  if (!newest) throw fail(asked === undefined ? noRuns() : unknownRun(asked));
  return newest;
}

/** Attempts that left a log, oldest first: their numbers, and the records of their logs. An attempt that a lost worker had begun
 * counts as one of its own, as in `StepStatus`. */
export type Logs = ReadonlyMap<number, string>;

/** @param step of this step alone */
export async function logsOf(store: Store, run: string, step = ''): Promise<ReadonlyMap<string, Logs>> {
  const folder = `runs/${run}/logs/`;
  const begun = new Map<string, Set<string>>();
  for (const name of await store.list(`${folder}${step && `${step}/`}`)) {
    const parts = name.slice(folder.length).split('/');
    const of = parts.slice(0, -2).join('/');
    begun.set(of, (begun.get(of) ?? new Set()).add(parts.at(-2)!));
  }
  return new Map([...begun].map(([of, all]) => [of, numbered([...all], `${folder}${of}`)]));
}

/** @param begun `001`, and `001.2` of an attempt that a second worker began */
function numbered(begun: readonly string[], folder: string): Logs {
  let [lost, before, deliveries] = [0, 0, 1];
  const sorted = begun.toSorted((a, b) => Number(a) - Number(b));
  return new Map(
    sorted.map((one) => {
      const [attempt = 0, delivery = 1] = one.split('.').map(Number);
      if (attempt !== before) lost += deliveries - 1;
      [before, deliveries] = [attempt, delivery];
      return [attempt + lost + delivery - 1, `${folder}/${one}`];
    }),
  );
}

/** The step that a person means: its id, or a part of it that no other step has. */
export function meantStep(known: readonly string[], asked: string, run: string, none: typeof noLog = noLog): string {
  if (known.includes(asked)) return asked;
  // `deps/build` begins `deps/build-tool/cp311` and is a part of `publish/index/deps/build` too, but means its own steps.
  const fits = [`${asked}/`, asked].map((start) => known.filter((step) => step.startsWith(start)));
  const near = [...fits, known.filter((step) => step.includes(asked))].find(({ length }) => length > 0) ?? [];
  if (near.length > 1) throw fail(manySteps(asked, near));
  if (near.length === 0) throw fail(none(asked, run, known));
  return near[0]!;
}
