import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { type FilledVenv, fillVenv, pythonOf } from '../tests/in-venv.js';
import type { Work } from '../work.js';
import { rayAbsent } from './errors.js';

/** Makes the environment of nodes and test from locks and wheels among the inputs. Throws CLUSTER_REFUSED where it has no Ray. */
export async function venvWithRay(work: Work<'runOnCluster'>): Promise<FilledVenv> {
  const filled = await fillVenv(work, pythonOf(work));
  if (!existsSync(join(filled.venv, 'bin', 'ray'))) throw fail(rayAbsent(work.step.id));
  return filled;
}
