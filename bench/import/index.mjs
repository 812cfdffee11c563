import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from '../committed.mjs';
import { costOf, inTurn, middle } from '../measure.mjs';
import { notTaken, ratioAtMost, row } from '../rows.mjs';
import { writeTests } from './files.mjs';

const NAMED = 'planning 433 tests of three files and 220 compute files';

/** Planning of imported tests against PyYAML and a merge in Python, which make no plan. A known import is timed inside a process on
 * both sides: its time is less than Node needs to start. */
export async function imports({ root, folder, runs }) {
  const source = join(folder, 'import');
  const files = writeTests(source);
  committed(source);
  const home = join(folder, 'import-home');
  const env = { ...process.env, SLIPWAY_HOME: home };
  const file = join(source, 'slipway');
  const forget = () => rmSync(join(home, 'imports'), { recursive: true, force: true });
  const plan = async () =>
    (await costOf([process.execPath, join(root, 'bin', 'slipway.js'), 'plan', file], { env })).wall;
  const merge = [join(root, 'bench', 'import', 'merge.py'), source, ...files];
  const inside = (program, argv, stream) =>
    Number(execFileSync('sh', ['-c', `"$@" ${stream}`, 'sh', program, ...argv], { env, encoding: 'utf8' }));
  const python = await costOf(['python3', ...merge]).catch((error) => error);
  if (python instanceof Error)
    return ['nothing known', 'the same texts known'].map((what) =>
      notTaken(`${NAMED}, ${what}`, 'ms', 'python3 has no PyYAML', ratioAtMost(what === 'nothing known' ? 1.5 : 0.2)),
    );
  const taken = await inTurn(runs ?? 5, {
    cold: () => (forget(), plan()),
    known: plan,
    merged: async () => (await costOf(['python3', ...merge])).wall,
    knownInside: () => inside(process.execPath, [join(root, 'bench', 'import', 'plan-again.mjs'), root, file], ''),
    mergedInside: () => inside('python3', merge, '2>&1 >/dev/null'),
  });
  const { cold, known, merged, knownInside, mergedInside } = Object.fromEntries(
    Object.entries(taken).map(([name, all]) => [name, middle(all)]),
  );
  return [
    row(`${NAMED}, nothing known, against PyYAML`, cold, 'ms', { reference: merged, goal: ratioAtMost(1.5) }),
    row(`${NAMED}, known, against PyYAML, both inside a process`, knownInside, 'ms', {
      ...{ reference: mergedInside, goal: ratioAtMost(0.2) },
    }),
    row(`${NAMED}, known, as a command`, known, 'ms', { reference: merged }),
  ];
}
