import { LEDGER, ledgerRecord, type LedgerEntry } from '../../engine/ledger/entry.js';
import { digestOf, hexOf, short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { workflowIdOf, type RunId } from '../../model/ids.js';
import { once } from '../../model/once.js';
import { headOf, type Plan } from '../../model/plan.js';
import { records, type Started } from '../../model/run-folder.js';
import { SERVICE_OF, takesHomeLogin } from '../../model/service-login.js';
import type { Target } from '../../model/target.js';
import { sha256 } from '../sha256.js';
import { readValid } from '../step/reuse.js';
import type { Work } from '../work.js';
import { noteSeen } from './ledger.js';
import { otherBytesAre, type Looked, type Looking, type Replaced } from './look.js';
import type { PublishPorts, Item } from './ports.js';

/** A plan whose runs published bytes under a name in a registry of this home, and its first such run. The control key
 * signs it, which it does not for a line of the ledger. */
export interface Publisher {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  /** True: the run found the name free and uploaded the bytes. False: they were there. */
  readonly put: boolean;
  /** Bytes that the upload of the first run replaced. */
  readonly replaced?: Replaced;
}

type PublishWork = Work<'publishArtifacts'>;
type Publishing = Pick<PublishWork, 'address' | 'plan' | 'run' | 'store'>;

const known = new WeakMap<Plan, Pick<Publisher, 'plan' | 'workflowId'>>();

export function ownOf(plan: Plan): Pick<Publisher, 'plan' | 'workflowId'> {
  const own = known.get(plan) ?? { plan: digestOf(plan, sha256), workflowId: workflowIdOf(headOf(plan)) };
  known.set(plan, own);
  return own;
}

/** Returns host and port of an address. All names of this machine are `here`. Null for a text without a host. */
function placeIn(address: string): string | null {
  const text = address.includes('://') ? address : `http://${address}`;
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port } = new URL(text);
  const isHere = /^((.+\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/.test(hostname);
  return `${isHere ? 'here' : hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Returns the service of the home to which an address leads, whatever it is called there. */
function serviceAt({ address }: Pick<Work, 'address'>, target: Target): string | null {
  if (takesHomeLogin(target)) return SERVICE_OF[target.kind]!;
  const at = placeIn(target.address);
  const leadsTo = (name: string): boolean => {
    try {
      return target.address === `service:${name}` || placeIn(address(`service:${name}`)) === at;
    } catch {
      return false; // a service that is down gets nothing
    }
  };
  return at === null ? null : (Object.values(SERVICE_OF).find(leadsTo) ?? null);
}

/** Records that this plan publishes an item in a registry of this home. Runs before the upload, so that no bytes are there
 * without a record. Returns a finding if the item replaces other bytes. */
export async function notePublisher(
  work: Publishing,
  target: Target,
  { item, verdict, replaces }: Looked,
): Promise<readonly Finding[]> {
  const service = serviceAt(work, target);
  if (service === null || verdict === 'other') return [];
  const { plan, run, store } = work;
  const own = ownOf(plan);
  const { value } = await store.create<Publisher>(
    records.publisher(service, item.name, item.artifact.digest, own.plan),
    { ...own, run, put: verdict === 'absent', ...(replaces && { replaced: replaces }) },
  );
  // An earlier attempt of this run may have ended between removal and upload.
  const replaced = replaces ?? (value.run === run ? value.replaced : undefined);
  return replaced === undefined ? [] : [rehearsalReplaced(target.name, item, replaced)];
}

/** Returns how a publish step looks at a target: it notes what it sees, and judges other bytes. Asks Temporal once. */
export function lookingFor(work: PublishWork, { openRun }: Pick<PublishPorts, 'openRun'>, target: Target): Looking {
  const isOpen = once(async () => (await openRun?.(ownOf(work.plan).workflowId)) === work.run);
  return {
    others: otherBytesAre(work.step),
    saw: (item, digest) => noteSeen(work, target.name, item, digest),
    replacedBy: (item, bytes) => replacedBy(work, isOpen, target, item, bytes),
  };
}

/** Returns the registry of this home in which a rehearsal replaces bytes. Null if this plan replaces none there. */
export const replacesAt = ({ profile, pipeline }: Plan, target: Target): string | null =>
  takesHomeLogin(target) && profile.rehearsal && !pipeline ? SERVICE_OF[target.kind]! : null;

/** Whether another plan of the same release published it. */
export const isOther = ({ plan, workflowId }: Publisher, mine: Pick<Publisher, 'plan' | 'workflowId'>): boolean =>
  workflowId === mine.workflowId && plan !== mine.plan;

/** Returns what gives way to an item: bytes that an ended rehearsal of the same release with another plan uploaded to a
 * registry of this home, by its name. Null if the bytes stay. Returns a digest if this plan had those other bytes before. */
async function replacedBy(
  work: Publishing,
  isOpen: () => Promise<boolean>,
  target: Target,
  { name, artifact }: Item,
  bytes: Digest,
): Promise<Replaced | Digest | null> {
  const { plan, store } = work;
  const service = replacesAt(plan, target);
  if (service === null) return null;
  const mine = ownOf(plan);
  const all = await store.list(records.publisher(service, name));
  const same = records.publisher(service, name, artifact.digest, mine.plan);
  const before = all.find((one) => one !== same && one.endsWith(`/${hexOf(mine.plan)}`));
  if (before !== undefined) return `sha256:${before.split('/').at(-2)!}`;
  const found: Publisher[] = [];
  for (const record of all.filter((one) => one.startsWith(records.publisher(service, name, bytes)))) {
    const one = await readValid<Publisher>(store, record);
    if (one === null || one === 'damaged') return null; // it may be a live run's
    found.push(one);
  }
  const other = found.every((one) => isOther(one, mine)) ? found.find(({ put }) => put) : undefined;
  if (other === undefined || (await hasStranger(work, target, name, bytes, found))) return null;
  // This run is open, and Temporal has no second open run of the workflow id that all of them have.
  return (await isOpen()) ? { bytes, run: other.run, plan: other.plan } : null;
}

/** Returns whether a line of the ledger says that a run asked the registry for these bytes and has no record. Anyone can write
 * a line, so it can only keep bytes. A rehearsal that ended before its record is no stranger. */
async function hasStranger(
  { address, plan, store }: Publishing,
  target: Target,
  name: string,
  bytes: Digest,
  publishers: readonly Publisher[],
): Promise<boolean> {
  const ends = (['wanted', 'done'] as const).map((state) => ledgerRecord(`/${name}/`, state, bytes));
  const here = placeIn(address(target.address));
  for (const record of await store.list(LEDGER)) {
    if (!ends.some((end) => record.endsWith(end))) continue;
    const line = await readValid<LedgerEntry>(store, record);
    if (line === null || line === 'damaged') return true;
    const at = placeIn(String(line.url));
    if (publishers.some(({ run }) => run === line.run) || (at !== null && at !== here)) continue;
    const started = /^[\w-]+$/.test(line.run) ? await readValid<Started>(store, records.started(line.run)) : null;
    if (started === null || started === 'damaged' || started.workflowId !== ownOf(plan).workflowId) return true;
  }
  return false;
}

const rehearsalReplaced = (target: string, { name, artifact }: Item, { bytes, run, plan }: Replaced): Finding => ({
  level: 'note',
  code: 'REHEARSAL_REPLACED',
  subject: name,
  why: `${target} held ${short(bytes)} from rehearsal ${run}, which had another plan (${short(plan)}); this rehearsal put ${short(artifact.digest)} in their place`,
  next: 'A registry outside of this home, and a live profile, refuse other bytes: raise `release.version` before you publish it.',
});
