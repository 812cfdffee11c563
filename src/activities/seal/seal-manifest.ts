import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skipsIn } from '../../engine/ledger/left-out.js';
import { drawManifest, twinsAmong } from '../../engine/ledger/manifest.js';
import { canonical } from '../../model/json.js';
import { fail } from '../../model/failure.js';
import { actionsSent } from '../step/actions-sent.js';
import type { Body } from '../work.js';
import { nameTwice } from './errors.js';

/** Makes the manifest: the sealed list of all bytes of the run. Equal inputs give equal bytes. */
export const createSealManifest = (): Body<'sealManifest'> => async (work) => {
  const wants = [...work.step.needs, ...work.step.wants];
  const manifest = drawManifest(work.plan, wants, work.inputs, skipsIn(await actionsSent(work)));
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
    note: `${count} ${count === 1 ? 'artifact' : 'artifacts'} sealed${idle === 0 ? '' : `, ${idle} of them not run`}${left === 0 ? '' : `, ${left} left out`}`,
  };
};
