import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawManifest } from '../../engine/ledger/manifest.js';
import { canonical } from '../../model/json.js';
import type { Body } from '../work.js';

/** One artifact of kind manifest: the sealed list of all bytes of the run. Same inputs, same bytes. */
export const createSealManifest = (): Body<'sealManifest'> => async (work) => {
  const manifest = drawManifest(work.plan, [...work.step.needs, ...work.step.wants], work.inputs);
  const path = join(work.folder, 'manifest.json');
  await writeFile(path, canonical(manifest));
  const artifact = await work.keep(path, 'manifest');
  const count = manifest.artifacts.length;
  const left = manifest.dropped.length + manifest.skipped.length;
  return {
    artifacts: [artifact],
    facts: { manifest: artifact.digest },
    note: `${count} ${count === 1 ? 'artifact' : 'artifacts'} sealed${left === 0 ? '' : `, ${left} left out`}`,
  };
};
