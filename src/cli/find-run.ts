import type { Recent, ReleaseClient } from '../client/index.js';
import { BISECTS } from '../model/bisect.js';
import { fail, SlipwayFailure } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import { records } from '../model/run-folder.js';
import { isAsked, newestRun } from './find-log.js';
import { isBisect } from './bisect/errors.js';
import { noRuns, servicesDown, unknownRun } from './errors.js';
import type { Ports } from './ports.js';
import { statusInStore, type Asked } from './store-status.js';

export interface FoundRun {
  readonly workflowId: string;
  readonly run: string;
}

/** Releases looked through for a name that a person typed. */
const RECENT = 200;

/** True where a Temporal server is told or is up; asks nothing. */
export async function hasServer(ports: Ports): Promise<boolean> {
  return ports.env['TEMPORAL_ADDRESS'] !== undefined || (await ports.services()).address('temporal') !== null;
}

/** The client, or SERVICES_DOWN with the command that mends it. */
export async function requireClient(ports: Ports): Promise<ReleaseClient> {
  if (!(await hasServer(ports))) throw fail(servicesDown());
  return ports.client();
}

export const namesBisect = (asked: string | undefined): asked is string => asked?.startsWith(BISECTS) === true;

/** Throws RUN_IS_BISECT: a bisect has no steps. */
export function assertHasSteps(asked: string | undefined): void {
  if (namesBisect(asked)) throw fail(isBisect(asked));
}

/** The run that a person means: a workflow id, the first digits of a run id, `pipeline/NAME`, or nothing for the newest. */
export async function findRun(client: ReleaseClient, asked: string | undefined): Promise<Recent> {
  const recent = await client.recent(asked === undefined ? 1 : RECENT, namesBisect(asked) ? 'bisect' : undefined);
  const found = recent.find((one) => isAsked(asked, one));
  if (!found) throw fail(asked === undefined ? noRuns() : unknownRun(asked));
  return found;
}

/** The same from the store, for when no server answers or it has forgotten the run. */
export async function keptStatus(ports: Ports, asked: string | undefined): Promise<RunStatus | null> {
  const store = await ports.store();
  const names = (await store.list('runs/')).filter((name) => name.endsWith('/status'));
  const all = await Promise.all(names.map((name) => store.read<RunStatus>(name)));
  const matching = all.filter((status) => status !== null && isAsked(asked, status));
  return matching.sort((a, b) => b!.startedAt - a!.startedAt)[0] ?? null;
}

/** Status of a run that a person named, from the server or else from the store. An open one is told while the store is away. */
export async function statusOf(ports: Ports, asked: string | undefined): Promise<RunStatus> {
  assertHasSteps(asked);
  if (!(await hasServer(ports))) return (await keptStatus(ports, asked)) ?? missing(asked);
  try {
    const client = await ports.client();
    try {
      const found = await findRun(client, asked);
      const { workflowId, run, open } = found;
      // A run that ended is read from the store: the server may have dropped its history.
      const kept = open ? null : await (await ports.store()).read<RunStatus>(records.status(run));
      return (
        kept ??
        (await client.status(workflowId, run).catch((error: unknown) => untold(error, found, { ports, client })))
      );
    } finally {
      await client.close();
    }
  } catch (error) {
    if (isUntold(error)) throw error; // another run's status would be taken for this one's
    const kept = await keptStatus(ports, asked);
    if (kept) return kept;
    throw error;
  }
}

/** A run whose workers are gone is told of as far as store and history know. */
async function untold(error: unknown, found: Recent, asked: Asked): Promise<RunStatus> {
  const known = isUntold(error) ? await statusInStore(asked, found).catch(() => null) : null;
  if (known === null) throw error;
  return known;
}

const isUntold = (error: unknown): boolean =>
  error instanceof SlipwayFailure && error.first.code === 'NO_WORKER_ANSWERS';

/** The same run, for what asks no worker: from the server, or else from the store. */
export async function meantRun(ports: Ports, asked: string | undefined): Promise<FoundRun> {
  if (!(await hasServer(ports))) return fromStore(ports, asked);
  try {
    const client = await ports.client();
    try {
      return await findRun(client, asked);
    } finally {
      await client.close();
    }
  } catch {
    return fromStore(ports, asked);
  }
}

/** Runs that have ended are kept with their status, open ones with their start. */
async function fromStore(ports: Ports, asked: string | undefined): Promise<FoundRun> {
  const started = await newestRun(await ports.store(), asked).catch(() => null);
  return started ?? (await keptStatus(ports, asked)) ?? missing(asked);
}

function missing(asked: string | undefined): never {
  throw fail(asked === undefined ? [noRuns(), servicesDown()] : [unknownRun(asked), servicesDown()]);
}
