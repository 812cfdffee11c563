import { join } from 'node:path';
import { inHome } from '../example.mjs';
import { cancels } from './cancels.mjs';
import { connects } from './connect.mjs';
import { crashes } from './crashes.mjs';
import { Ground } from './ground.mjs';
import { actions } from './actions.mjs';

/** How fast people are answered, and how soon a run goes on after a crash: services of its own, each row `runs` times in a row. */
export async function operators({ root, folder, runs: asked, note }) {
  const runs = Math.max(5, asked ?? 7);
  return inHome({ root, home: join(folder, 'o'), more: { SLIPWAY_SANDBOX: 'none' } }, async (env) => {
    const ground = await Ground.begin({ root, folder, env, note });
    try {
      return [
        ...(await connects({ ground, runs: 4 * runs })),
        ...(await actions({ ground, times: 4 * runs })),
        ...(await cancels({ ground, runs })),
        ...(await crashes({ ground, runs })),
      ];
    } finally {
      await ground.end();
    }
  });
}
