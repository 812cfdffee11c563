import { alteredIn } from '../../engine/ledger/altered.js';
import { type Manifest, drawManifest, twinsAmong } from '../../engine/ledger/manifest.js';
import { type Digest, digestOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { readRounds } from '../../model/rounds.js';
import type { Work, Body } from '../work.js';
import { sealDiffers, sealNotTold, absentUnexplained, nameTwice } from './errors.js';
import { readManifest } from '../read-text.js';
import { sha256 } from '../sha256.js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skipsIn, UNEXPLAINED } from '../../engine/ledger/left-out.js';
import { canonical } from '../../model/json.js';
import { counted } from '../../model/counted.js';
import { actionsSent } from '../step/actions-sent.js';

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

/** Makes the manifest: the sealed list of all bytes of the run. Equal inputs give equal bytes. Throws SEAL_UNEXPLAINED
 * if a wanted step has no result, and neither plan nor audit says why: a program may ask for a seal, too. */
export const createSealManifest = (): Body<'sealManifest'> => async (work) => {
  const wants = [...work.step.needs, ...work.step.wants];
  const skips = skipsIn(await actionsSent(work));
  const manifest = drawManifest(work.plan, wants, work.inputs, skips);
  const absent = new Set(manifest.skipped.flatMap(({ id, because }) => (because === UNEXPLAINED ? [id] : [])));
  // In the plan's order, so that the first is the cause of the others.
  const unexplained = wants.filter((id) => absent.has(id));
  if (unexplained.length > 0) throw fail(absentUnexplained(unexplained));
  const [twins] = twinsAmong(manifest);
  if (twins) throw fail(nameTwice(twins.name, twins.steps));
  const path = join(work.folder, 'manifest.json');
  await writeFile(path, canonical(manifest));
  const artifact = await work.keep(path, 'manifest');
  const count = manifest.artifacts.length;
  const left = manifest.dropped.length + manifest.skipped.length;
  const idle = manifest.notRun.flatMap(({ names }) => names).length;
  return {
    artifacts: [artifact],
    facts: { manifest: artifact.digest },
    note: `${counted(count, 'artifact')} sealed${idle === 0 ? '' : `, ${idle} of them not run`}${left === 0 ? '' : `, ${left} left out`}`,
  };
};
