import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from '../committed.mjs';
import { costOf, inTurn, middle } from '../measure.mjs';
import { notTaken, ratioAtMost, row } from '../rows.mjs';
import { writeTests } from './files.mjs';

const NAMED = 'planning 433 tests of three files and 220 compute files';

/** `slipway plan` of imported tests against PyYAML and a merge in Python, which make no plan. */
export async function imports({ root, folder, runs }) {
  const source = join(folder, 'import');
  const files = writeTests(source);
  committed(source);
  const home = join(folder, 'import-home');
  const env = { ...process.env, SLIPWAY_HOME: home };
  const plan = () =>
    costOf([process.execPath, join(root, 'bin', 'slipway.js'), 'plan', join(source, 'slipway')], { env });
  const merge = () => costOf(['python3', join(root, 'bench', 'import', 'merge.py'), source, ...files]);
  const python = await merge().catch((error) => error);
  const why = python instanceof Error ? 'python3 has no PyYAML' : null;
  const { cold, known, reference } = await inTurn(runs ?? 5, {
    cold: () => {
      rmSync(join(home, 'imports'), { recursive: true, force: true });
      return plan();
    },
    known: plan,
    reference: why === null ? merge : () => ({ wall: Number.NaN }),
  });
  const wall = (all) => middle(all.map((one) => one.wall));
  return [
    ['nothing known', wall(cold), ratioAtMost(1.5)],
    ['the same texts known', wall(known), ratioAtMost(0.2)],
  ].map(([what, value, goal]) =>
    why === null
      ? row(`${NAMED}, ${what}, against PyYAML`, value, 'ms', { reference: wall(reference), goal })
      : notTaken(`${NAMED}, ${what}`, 'ms', why, goal),
  );
}
