import type { Manifest } from '../../engine/ledger/manifest.js';
import { short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import type { RunId } from '../../model/ids.js';
import type { StepOf } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import type { Target } from '../../model/target.js';
import { readValid } from '../step/reuse.js';
import type { Work } from '../work.js';
import { sealedItems } from './items.js';
import type { PublishTarget } from './ports.js';
import { isOther, ownOf, replacesAt, type Publisher } from './publishers.js';

/** Returns a finding for each file that a rehearsal of the same release with another plan left in a registry of this home, and that
 * the seal of this run does not give it. An installer may take it. A target has many verifications: the first by id looks.
 * Nothing is said of a file that the registry does not show. */
export async function leftBeside(
  { plan, store, step }: Pick<Work<'verifyTarget'>, 'plan' | 'store' | 'step'>,
  target: PublishTarget,
  manifest: Manifest,
): Promise<readonly Finding[]> {
  const { target: to } = step.params;
  const service = replacesAt(plan, to);
  const isHere = ({ params }: StepOf<'publishArtifacts' | 'verifyTarget'>): boolean =>
    placeOf(params.target) === placeOf(to);
  const verifying = plan.steps.filter((one) => one.kind === 'verifyTarget').filter(isHere);
  if (service === null || target.replace === undefined || verifying.some(({ id }) => id < step.id)) return [];
  const published = plan.steps.filter((one) => one.kind === 'publishArtifacts').filter(isHere);
  const made = published.flatMap(({ params }) => sealedItems(params, target, manifest));
  const ours = new Set(made.map(({ item }) => item.name));
  const all = (await store.list(records.publisher(service)).catch(() => [])).map(partsOf);
  const plans = new Set(all.filter(({ name }) => ours.has(name)).map(({ by }) => by));
  const left = new Map<string, Finding>();
  for (const { record, by, name, digest } of all) {
    const isElsewhere = to.kind === 'oci' && !name.startsWith(`${to.repository}:`);
    if (ours.has(name) || !plans.has(by) || isElsewhere) continue;
    const one = await readValid<Publisher>(store, record).catch(() => null);
    if (one === null || one === 'damaged' || !isOther(one, ownOf(plan))) continue;
    const artifact = { name, digest, kind: 'file', size: 0, labels: {} } as const;
    const seen = await target.observe({ name, url: '', artifact }).catch(() => null);
    if (seen?.state === 'present' && seen.digest === digest)
      left.set(name, rehearsalLeft(to.name, name, digest, one.run));
  }
  return [...left.values()];
}

/** Returns the parts of the path of a publisher's record. A name may have slashes. */
function partsOf(record: string): { record: string; by: string; digest: Digest; name: string } {
  const [, , ...rest] = record.split('/');
  return { record, by: rest.pop()!, digest: `sha256:${rest.pop()!}`, name: rest.join('/') };
}

const placeOf = ({ kind, address, repository }: Target): string => `${kind} ${address} ${repository}`;

const rehearsalLeft = (target: string, name: string, bytes: Digest, run: RunId): Finding => ({
  level: 'warning',
  code: 'REHEARSAL_LEFT',
  subject: name,
  why: `${target} still has it (${short(bytes)}) from rehearsal ${run}, which had another plan; the seal of this run has no such file`,
  next: 'Slipway deletes no file. Raise `release.version`, or type `slipway run --snapshot`: then the version has the files of this plan alone.',
});
