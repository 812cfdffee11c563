/** @long @needs services */
import { appendFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import type { Drilled } from '../../tools/drill/drill.js';
import type { Point } from '../../tools/drill/draw.js';
import { slipwayOf } from '../support/own-services.js';
import { homeWithCache } from '../support/shared-cache.js';
import { newHome } from '../support/run-body.js';
import { boatProject } from './project.js';

interface Shown {
  readonly code: number | null;
  readonly drilled: Drilled;
  /** Kills, wherever they were. */
  readonly killed: readonly Point[];
}

/** `slipway drill` of a package root, in a home of its own. */
async function drill(root: string, file: string, ...more: readonly string[]): Promise<Shown> {
  const env = { ...process.env, SLIPWAY_HOME: await homeWithCache() } as Record<string, string>;
  const { code, stdout, stderr } = await slipwayOf(root, packageRoot(), ['drill', file, '--json', ...more], env);
  if (stdout === '') throw new Error(stderr);
  const drilled = JSON.parse(stdout) as Drilled;
  return { code, drilled, killed: drilled.rehearsals.flatMap(({ killed }) => killed) };
}

test('given a short drill, then nothing is lost, sent twice or left behind', async () => {
  const file = await boatProject(await newHome(), 'dory');
  const few = ['--points', '3', '--rehearsals', '1', '--seed', '21'];
  const { code, drilled, killed } = await drill(packageRoot(), file, ...few);
  const { lost, twice, orphans, unfinished, rehearsals } = drilled;
  expect({ lost, twice, orphans, unfinished }).toEqual({ lost: 0, twice: 0, orphans: 0, unfinished: 0 });
  expect(rehearsals[0]!.wanted).toBe(3);
  expect(new Set(killed.map(({ victim }) => victim))).toEqual(new Set(['door', 'worker', 'registry']));
  expect(code).toBe(0);
});

/** The code with nobody who looks: neither before an upload, nor after it. */
const BLIND = `
exports.look = async (target, name, items) => items.map((item) => ({ item, verdict: 'absent', url: item.url }));
exports.readBack = async (target, name, items) => items.map((item) => ({ item, verdict: 'same', url: item.url }));
`;

/** A package root that differs in this. */
async function blindRoot(): Promise<string> {
  const root = join(await newHome(), 'blind');
  mkdirSync(root);
  for (const name of ['node_modules', '.tools', 'config', 'package.json'])
    symlinkSync(join(packageRoot(), name), join(root, name));
  for (const name of ['dist', 'bin']) cpSync(join(packageRoot(), name), join(root, name), { recursive: true });
  appendFileSync(join(root, 'dist', 'activities', 'publish', 'look.js'), BLIND);
  return root;
}

test('given uploads without the observations before and after, then the same drill finds lost and repeated files', async () => {
  const file = await boatProject(await newHome(), 'dory', { image: false });
  // The seed whose two points are those below: another order of steps or other weights need another one.
  const only = ['--steps', 'publish/', '--kill', 'worker,index', '--points', '2', '--rehearsals', '1', '--seed', '96'];
  const { code, drilled, killed } = await drill(await blindRoot(), file, ...only);
  // Of the wheel nobody heard that it was there; what was to take the sdist was down.
  expect(killed.map(({ step, phase, victim }) => `${victim} ${phase} ${step.split('.')[0]}`)).toEqual([
    'worker after publish/index/wheels',
    'index before publish/index/sdists',
  ]);
  expect(drilled.lost).toBeGreaterThan(0);
  expect(drilled.twice).toBeGreaterThan(0);
  expect(code).toBe(1);
});
