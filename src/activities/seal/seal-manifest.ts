import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skipsIn, UNEXPLAINED } from '../../engine/ledger/left-out.js';
import { drawManifest, twinsAmong } from '../../engine/ledger/manifest.js';
import { canonical } from '../../model/json.js';
import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import { actionsSent } from '../step/actions-sent.js';
import type { Body } from '../work.js';
import { absentUnexplained, nameTwice } from './errors.js';

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
