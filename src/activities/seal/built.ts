import { drawManifest } from '../../engine/ledger/manifest.js';
import { digestOf } from '../../model/digest.js';
import { sha256 } from '../sha256.js';
import type { Work } from '../work.js';
import { readSealed, type Sealed } from './sealed.js';

type Publishing = Pick<
  Work<'publishArtifacts' | 'verifyTarget'>,
  'inputs' | 'plan' | 'run' | 'sealed' | 'step' | 'store'
>;

/** Returns the manifest that decides what a step publishes or verifies. With `when: built` it is made of this run's
 * results of the step's own builds. Otherwise it is the run's seal. */
export async function sealedFor(work: Publishing): Promise<Sealed> {
  const { when, of } = work.step.params;
  if (when !== 'built') return readSealed(work);
  const manifest = drawManifest(
    work.plan,
    of,
    work.inputs.filter(({ step }) => of.includes(step)),
  );
  return { manifest, digest: digestOf(manifest, sha256) };
}
