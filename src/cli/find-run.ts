import type { Recent, ReleaseClient } from '../client/index.js';
import { BISECTS } from '../model/bisect.js';
import { fail, SlipwayFailure } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import { records } from '../model/run-folder.js';
import { newestRun, runsNamed } from './find-log.js';
import { isBisect } from './bisect/errors.js';
import { servicesDown } from '../adapters/temporal/errors.js';
import { home } from '../adapters/home.js';
import { noRuns, unknownRun } from './errors.js';
import { closing } from './closing.js';
import type { Ports } from './ports.js';
import { statusInStore, type Asked } from './store-status.js';

export interface FoundRun {
  readonly workflowId: string;
  readonly run: string;
}

/** Most runs that are looked through for a name that a person typed. */
export const RECENT = 10_000;
/** Runs on a page of the server, which lists open ones first. */
const PAGE = 1000;

/** Whether TEMPORAL_ADDRESS names a Temporal server, or `slipway up` started one. Sends no request. */
export async function hasServer(ports: Ports): Promise<boolean> {
  return Boolean(ports.env['TEMPORAL_ADDRESS']) || (await ports.services()).address('temporal') !== null;
}

/** Opens the client. Throws SERVICES_DOWN if there is no server to reach. */
export async function requireClient(ports: Ports): Promise<ReleaseClient & AsyncDisposable> {
  if (!(await hasServer(ports))) throw fail(servicesDown(home(ports.env)));
  return closing(await ports.client());
}

/** Returns the open runs, newest first. Asks for one page unless that has no other runs. */
export async function openRuns(client: Pick<ReleaseClient, 'runs'>): Promise<readonly Recent[]> {
  const page = await client.runs(PAGE);
  const isFull = page.length === PAGE && page.every(({ open }) => open);
  return (isFull ? await client.runs(RECENT) : page).filter(({ open }) => open);
}

export const namesBisect = (asked: string | undefined): asked is string => asked?.startsWith(BISECTS) === true;

/** Throws RUN_IS_BISECT: a bisect has no steps. */
export function assertHasSteps(asked: string | undefined): void {
  if (namesBisect(asked)) throw fail(isBisect(asked));
}

/** Returns the newest run that matches a workflow id, a prefix of a run id, a name, or `pipeline/NAME`. No text matches every run. Throws
 * UNKNOWN_RUN or NO_RUNS. */
export async function findRun(client: ReleaseClient, asked: string | undefined): Promise<Recent> {
  const recent = await client.runs(asked === undefined ? 1 : RECENT, namesBisect(asked) ? 'bisect' : undefined);
  const [found] = runsNamed(recent, asked);
  if (!found) throw fail(asked === undefined ? noRuns() : unknownRun(asked));
  return found;
}

/** Returns the stored status of the newest run that matches. Used if no server answers, or if its retention of the run is over. Null
 * if no status matches, or if a newer run of the asked name has left none. */
export async function keptStatus(ports: Ports, asked: string | undefined): Promise<RunStatus | null> {
  const store = await ports.store();
  const names = (await store.list('runs/')).filter((name) => name.endsWith('/status'));
  const all = await Promise.all(names.map((name) => store.read<RunStatus>(name)));
  const matching = runsNamed(
    all.filter((status) => status !== null),
    asked,
  );
  const kept = matching.toSorted((a, b) => b.startedAt - a.startedAt)[0] ?? null;
  const newest = asked === undefined ? null : await newestRun(store, asked).catch(() => null);
  const isOlder = newest !== null && newest.run !== kept?.run && Date.parse(newest.at) > (kept?.startedAt ?? 0);
  return isOlder ? null : kept;
}

/** Returns the status of a run from the server, else from the store. An open run needs no store. */
export async function statusOf(ports: Ports, asked: string | undefined): Promise<RunStatus> {
  assertHasSteps(asked);
  if (!(await hasServer(ports))) return (await keptStatus(ports, asked)) ?? missing(ports, asked);
  let found: Recent | undefined;
  try {
    await using client = closing(await ports.client());
    const one = (found = await findRun(client, asked));
    const { workflowId, run, open } = one;
    // A run that ended is read from the store: the server may have dropped its history.
    const kept = open ? null : await (await ports.store()).read<RunStatus>(records.status(run));
    return (
      kept ??
      (await client.status(workflowId, run).catch((error: unknown) => withoutWorker(error, one, { ports, client })))
    );
  } catch (error) {
    if (hasNoWorker(error)) throw error; // another run's status would be taken for this one's
    const kept = await keptStatus(ports, found?.run ?? asked);
    if (kept) return kept;
    throw error;
  }
}

/** Returns what store and history know of a run without a workflow worker. Throws any other error again. */
async function withoutWorker(error: unknown, found: Recent, asked: Asked): Promise<RunStatus> {
  const known = hasNoWorker(error) ? await statusInStore(asked, found).catch(() => null) : null;
  if (known === null) throw error;
  return known;
}

export const hasNoWorker = (error: unknown): boolean =>
  error instanceof SlipwayFailure && error.first.code === 'NO_WORKER_ANSWERS';

/** Finds a run on the server, else in the store. For commands that query no worker. */
export async function meantRun(ports: Ports, asked: string | undefined): Promise<FoundRun> {
  if (!(await hasServer(ports))) return fromStore(ports, asked);
  try {
    await using client = closing(await ports.client());
    return await findRun(client, asked);
  } catch {
    return fromStore(ports, asked);
  }
}

/** Runs that have ended are kept with their status, open ones with their start. */
async function fromStore(ports: Ports, asked: string | undefined): Promise<FoundRun> {
  const started = await newestRun(await ports.store(), asked).catch(() => null);
  return started ?? (await keptStatus(ports, asked)) ?? missing(ports, asked);
}

async function missing(ports: Ports, asked: string | undefined): Promise<never> {
  const isKnown = await newestRun(await ports.store(), asked).then(Boolean, () => false);
  const unknown = asked === undefined ? noRuns() : unknownRun(asked);
  throw fail([...(isKnown ? [] : [unknown]), servicesDown(home(ports.env))]);
}
