import { givesWay, type Publisher } from '../../engine/ledger/gives-way.js';
import { digestOf, hexOf, short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { workflowIdOf } from '../../model/ids.js';
import { headOf } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import { takesHomeLogin } from '../../model/service-login.js';
import type { Target } from '../../model/target.js';
import { sha256 } from '../sha256.js';
import { readOwn } from '../step/reuse.js';
import type { Work } from '../work.js';
import type { Looked, Replaced } from './look.js';
import type { PublishPorts } from './ports.js';
import type { Item } from './target.js';

type Publishing = Pick<Work<'publishArtifacts'>, 'plan' | 'run' | 'store'>;

/** Returns the service of a registry of this home. Null for any other target: its address says it, not where it leads. */
const serviceOf = (target: Target): string | null =>
  takesHomeLogin(target) ? target.address.slice('service:'.length) : null;

/** Records that this plan publishes an item in a registry of this home. Runs before the upload, so that no bytes are there
 * without a record. */
export async function notePublisher(work: Publishing, target: Target, { item, verdict }: Looked): Promise<void> {
  const service = serviceOf(target);
  if (service === null || verdict === 'other') return;
  const { plan, run, store } = work;
  const mine = { plan: digestOf(plan, sha256), run, release: plan.release, rehearsal: plan.profile.rehearsal };
  const record = records.publisher(service, item.name, item.artifact.digest, mine.plan);
  await store.create<Publisher>(record, { ...mine, put: verdict === 'absent' });
}

/** Returns what gives way to an item: bytes that an ended rehearsal of the same release with another plan uploaded to a
 * registry of this home. Null if the bytes stay. */
export async function replacedBy(
  { plan, run, store }: Publishing,
  { openRun }: Pick<PublishPorts, 'openRun'>,
  target: Target,
  { name }: Item,
  bytes: Digest,
): Promise<Replaced | null> {
  const service = serviceOf(target);
  if (service === null || !plan.profile.rehearsal || plan.pipeline) return null;
  const found: Publisher[] = [];
  for (const record of await store.list(records.publisher(service, name, bytes))) {
    const one = await readOwn<Publisher>(store, record);
    if (one !== null && one !== 'damaged') found.push(one);
  }
  const other = givesWay(found, { plan: digestOf(plan, sha256), release: plan.release, rehearsal: true });
  if (other === null) return null;
  // All rehearsals of a release have one workflow id, and Temporal has one open run of an id: the others have ended.
  return (await openRun?.(workflowIdOf(headOf(plan)))) === run ? { bytes, run: other.run, plan: other.plan } : null;
}

type Remembering = Pick<Work<'publishArtifacts'>, 'remember' | 'recall'>;

const keyOf = ({ name, artifact }: Item): string => `replaced/${name}/${hexOf(artifact.digest)}`;

/** Remembers what an item replaces, for the finding of a later attempt: this one may end between removal and upload. */
export const rememberReplaced = (work: Remembering, item: Item, replaced: Replaced): Promise<unknown> =>
  work.remember(keyOf(item), replaced);

/** Returns a finding for each item that replaced other bytes in this run. */
export async function replacedIn(
  work: Remembering,
  target: Target,
  items: readonly Item[],
): Promise<readonly Finding[]> {
  if (serviceOf(target) === null) return [];
  const found = await Promise.all(items.map(async (item) => ({ item, was: await work.recall<Replaced>(keyOf(item)) })));
  return found.flatMap(({ item, was }) => (was === null ? [] : [rehearsalReplaced(target.name, item, was)]));
}

const rehearsalReplaced = (target: string, { name, artifact }: Item, { bytes, run, plan }: Replaced): Finding => ({
  level: 'note',
  code: 'REHEARSAL_REPLACED',
  subject: name,
  why: `${target} held ${short(bytes)} from rehearsal ${run}, which had another plan (${short(plan)}); this rehearsal put ${short(artifact.digest)} in their place`,
  next: 'A registry outside of this home, and a live profile, refuse other bytes: raise `release.version` before you publish it.',
});
