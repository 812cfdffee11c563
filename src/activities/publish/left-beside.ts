import { short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import type { RunId } from '../../model/ids.js';
import { records } from '../../model/run-folder.js';
import type { Target } from '../../model/target.js';
import { readValid } from '../step/reuse.js';
import type { Work } from '../work.js';
import type { Item, PublishTarget } from './ports.js';
import { isOther, ownOf, replacesAt, type Publisher } from './publishers.js';

/** Returns a finding for each file that a rehearsal of the same release with another plan left in a registry of this home, and that
 * this run did not publish. An installer may take it.
 * @param items everything that this run published there */
export async function leftBeside(
  { plan, store }: Pick<Work, 'plan' | 'store'>,
  to: Target,
  target: PublishTarget,
  items: readonly Item[],
): Promise<readonly Finding[]> {
  const service = replacesAt(plan, to);
  if (service === null || target.replace === undefined) return [];
  const all = (await store.list(records.publisher(service))).map((record) => {
    const [, , ...rest] = record.split('/');
    return { record, by: rest.pop()!, digest: `sha256:${rest.pop()!}` as Digest, name: rest.join('/') };
  });
  const ours = new Set(items.map(({ name }) => name));
  const plans = new Set(all.filter(({ name }) => ours.has(name)).map(({ by }) => by));
  const left = new Map<string, Finding>();
  for (const { record, by, name, digest } of all) {
    if (ours.has(name) || !plans.has(by)) continue;
    const one = await readValid<Publisher>(store, record);
    if (one === null || one === 'damaged' || !isOther(one, ownOf(plan))) continue;
    const seen = await target.observe({ name, url: '', artifact: { name, digest, kind: 'file', size: 0, labels: {} } });
    if (seen.state === 'present' && seen.digest === digest)
      left.set(name, rehearsalLeft(to.name, name, digest, one.run));
  }
  return [...left.values()];
}

const rehearsalLeft = (target: string, name: string, bytes: Digest, run: RunId): Finding => ({
  level: 'warning',
  code: 'REHEARSAL_LEFT',
  subject: name,
  why: `${target} still has it (${short(bytes)}) from rehearsal ${run}, which had another plan; this plan makes no such file`,
  next: 'Slipway deletes no file. Raise `release.version`, or type `slipway run --snapshot`: then the version has the files of this plan alone.',
});
