import { alteredIn } from '../../engine/ledger/altered.js';
import { type Manifest, drawManifest } from '../../engine/ledger/manifest.js';
import { type Digest, digestOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { readRounds } from '../../model/rounds.js';
import type { Work } from '../work.js';
import { sealDiffers, sealNotTold } from './errors.js';
import { readManifest } from '../read-text.js';
import { sha256 } from '../sha256.js';

type Publishing = Pick<
  Work<'publishArtifacts' | 'verifyTarget'>,
  'inputs' | 'plan' | 'run' | 'sealed' | 'step' | 'store'
>;

export interface Sealed {
  readonly digest: Digest;
  readonly manifest: Manifest;
}

/** Reads the manifest by the digest in the run's history. Throws SEAL_NOT_TOLD without a digest. Throws SEAL_DIFFERS if
 * a record among the inputs names other bytes, since the store was then altered. */
export async function readSealed(work: Pick<Work, 'inputs' | 'run' | 'sealed' | 'step' | 'store'>): Promise<Sealed> {
  const { sealed: digest } = work;
  if (digest === null) throw fail(sealNotTold(work.step.id));
  const manifest = await readManifest(work.store, digest);
  const altered = work.inputs.flatMap((result) =>
    alteredIn(result, digest, manifest).map((one) => ({ one, step: result.step })),
  );
  if (altered.length === 0) return { digest, manifest };
  const rounds = await readRounds(work.store, work.run);
  throw fail(altered.map(({ one, step }) => sealDiffers(rounds.result(step), step, one)));
}

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
