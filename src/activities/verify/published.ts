import { publishedBy } from '../../engine/ledger/published.js';
import { fail } from '../../model/failure.js';
import type { Published } from '../../model/report.js';
import { nothingToVerify, notSealed } from '../publish/errors.js';
import { sealedItems } from '../publish/items.js';
import type { Item, PublishTarget } from '../publish/target.js';
import type { Sealed } from '../seal/sealed.js';
import type { Work } from '../work.js';

type VerifyWork = Pick<Work<'verifyTarget'>, 'inputs' | 'plan' | 'step'>;

/** Returns what this run published to the step's target. Throws NOTHING_TO_VERIFY, but not with `when: built`: each wheel
 * may be another publisher's. Throws NOT_SEALED if a record names
 * bytes that the seal does not give the target under that name. */
export function publishedHere(
  work: VerifyWork,
  target: Pick<PublishTarget, 'items'>,
  { manifest }: Sealed,
): readonly Item[] {
  const { name: to } = work.step.params.target;
  const results = work.inputs.filter((result) => result.facts['target'] === to);
  const published = results.flatMap(publishedBy);
  if (published.length === 0 && work.step.params.when !== 'built') throw fail(nothingToVerify(to));
  const steps = results.map(({ step }) => step);
  const sealed = work.plan.steps
    .filter((step) => step.kind === 'publishArtifacts')
    .flatMap(({ id, params }) => (steps.includes(id) ? sealedItems(params, target, manifest) : []));
  const isSealed = ({ name, digest }: Published): boolean =>
    sealed.some(({ item }) => item.name === name && item.artifact.digest === digest);
  const strange = published.filter((one) => !isSealed(one));
  if (strange.length > 0) throw fail(strange.map(({ name, digest }) => notSealed(name, digest)));
  return published.map(({ name, digest, url }) => ({
    ...{ name, url, artifact: { name, digest, kind: 'file', size: 0, labels: {} } },
  }));
}
