import type { Store } from '../activities/ports.js';
import { fail } from '../model/failure.js';
import { namesIn } from '../model/ids.js';
import { records, type Started } from '../model/run-folder.js';
import { manySteps, noLog, noRuns, unknownRun } from './errors.js';

/** Whether the text that a person typed names this run: its workflow id, a prefix of its run id, its name, or
 * `pipeline/NAME` for all runs of that pipeline. No text names every run. */
export function isAsked(asked: string | undefined, { workflowId, run }: Pick<Started, 'workflowId' | 'run'>): boolean {
  if (asked === undefined || workflowId === asked || run.startsWith(asked)) return true;
  const names = namesIn(workflowId);
  return names !== null && [names.name, `${names.kind}/${names.name}`].includes(asked);
}

/** The newest run that the store knows of, or the newest that a person means. Asks no server. */
export async function newestRun(store: Store, asked: string | undefined): Promise<Started> {
  const names = await store.list(records.started(''));
  const all = (await Promise.all(names.map((name) => store.read<Started>(name)))).filter((one) => one !== null);
  const meant = all.filter((one) => isAsked(asked, one));
  const newest = meant.sort((a, b) => (a.at < b.at ? 1 : -1))[0];
  if (!newest) throw fail(asked === undefined ? noRuns() : unknownRun(asked));
  return newest;
}

/** Attempts that left a log, by step, oldest first. */
export async function logsOf(store: Store, run: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const folder = `runs/${run}/logs/`;
  const attempts = new Map<string, Set<number>>();
  for (const name of await store.list(folder)) {
    const parts = name.slice(folder.length).split('/');
    const step = parts.slice(0, -2).join('/');
    attempts.set(step, (attempts.get(step) ?? new Set()).add(Number(parts.at(-2))));
  }
  return new Map([...attempts].map(([step, all]) => [step, [...all].sort((a, b) => a - b)]));
}

/** The step that a person means: its id, or a part of it that no other step has. */
export function meantStep(known: readonly string[], asked: string, run: string, none: typeof noLog = noLog): string {
  if (known.includes(asked)) return asked;
  const parts = known.filter((step) => step.includes(asked));
  // `wheels` is a part of `publish/index/wheels.skiff` too, but who says so means the stage.
  const below = parts.filter((step) => step.startsWith(asked));
  const near = below.length > 0 ? below : parts;
  if (near.length > 1) throw fail(manySteps(asked, near));
  if (near.length === 0) throw fail(none(asked, run, known));
  return near[0]!;
}
