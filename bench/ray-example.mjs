import { join } from 'node:path';
import { inHome, plainEnv, slipway, warmCache } from './example.mjs';
import { middle, timed } from './measure.mjs';
import { ratioAtMost, row } from './rows.mjs';

/** The miniature of Ray with nothing known, against a plain script that calls the same tools. Both sides have services up, empty
 * registries, and the same warm caches of uv, Maven, zig and Debian. */
export async function rayExample({ root, folder, runs, note }) {
  const at = join(root, 'examples', 'ray');
  const { cache, bareDebians } = await warmCache({ root, folder, at, folders: ['m2', 'uv', 'zig'] });
  const times = { slipway: [], plain: [] };
  for (let run = 1; run <= (runs ?? 1); run++) {
    await inHome({ root, home: join(folder, `s${run}`), cache }, async (env) => {
      times.slipway.push(await timed([...slipway(root), 'run', join(at, 'slipway.yaml'), '--wait'], { env }));
      note(`slipway ${seconds(times.slipway)} s`);
    });
    await inHome({ root, home: join(folder, `p${run}`), cache }, async (env) => {
      const more = plainEnv(env, { root, at, cache, bareDebian: bareDebians[0] });
      times.plain.push(await timed([join(root, 'bench', 'plain-ray.sh')], { env: more }));
      note(`plain script ${seconds(times.plain)} s`);
    });
  }
  const [ours, theirs] = [times.slipway, times.plain].map((all) => middle(all) / 1000);
  return [
    row('the miniature of Ray, nothing known, against a plain script', ours, 's', {
      ...{ reference: theirs, goal: ratioAtMost(1.1) },
    }),
  ];
}

const seconds = (times) => (times.at(-1) / 1000).toFixed(1);
