import { join } from 'node:path';
import { inHome, slipway, warmCache } from './example.mjs';
import { middle, timed } from './measure.mjs';
import { atMost, ratioAtMost, row } from './rows.mjs';

/** The wheel cache's example with nothing known, against `pip wheel` for each pin in containers of the same distributions;
 * then again with everything known. Both sides have services up and the same archives of bare Debian. */
export async function wheelExample({ root, folder, runs }) {
  const at = join(root, 'examples', 'wheel-cache');
  const { cache, bareDebians } = await warmCache({ root, folder, at });
  const [BARE_12, BARE_13] = bareDebians;
  const times = { slipway: [], again: [], plain: [] };
  for (let run = 1; run <= (runs ?? 1); run++) {
    await inHome({ root, home: join(folder, `s${run}`), cache }, async (env) => {
      const refresh = [...slipway(root), 'run', join(at, 'slipway.yaml'), '--wait'];
      times.slipway.push(await timed(refresh, { env }));
      times.again.push(await timed(refresh, { env }));
    });
    await inHome({ root, home: join(folder, `p${run}`), cache }, async (env) => {
      const more = {
        HOME_OF_SLIPWAY: env.SLIPWAY_HOME,
        TOOLS: join(root, '.tools', 'bin'),
        EXAMPLE: at,
        BARE_12,
        BARE_13,
      };
      times.plain.push(await timed([join(root, 'bench', 'plain-wheels.sh')], { env: { ...env, ...more } }));
    });
  }
  const [ours, again, theirs] = [times.slipway, times.again, times.plain].map((all) => middle(all) / 1000);
  return [
    row("the wheel cache's example, nothing known, against pip wheel for each pin", ours, 's', {
      ...{ reference: theirs, goal: ratioAtMost(1.25) },
    }),
    row("the wheel cache's example again, nothing new", again, 's', { goal: atMost(3) }),
  ];
}
