import { join } from 'node:path';
import { inHome } from '../example.mjs';
import { cancels } from './cancels.mjs';
import { crashes } from './crashes.mjs';
import { Ground } from './ground.mjs';
import { words } from './words.mjs';

/** How fast people are answered, and how soon a run goes on after a crash: services of its own, each row `runs` times in a row. */
export async function operators({ root, folder, tell, runs }) {
  await inHome({ root, home: join(folder, 'o') }, async (env) => {
    const ground = await Ground.begin({ root, folder, env });
    const say = (name, times, wanted) =>
      tell(name, `${middle(times)} ms`, `${spread(times)}${wanted ? `; at most ${wanted} wanted` : ''}`);
    try {
      await words({ ground, tell, say, times: 4 * runs });
      await cancels({ ground, say, runs });
      await crashes({ ground, say, runs });
    } finally {
      await ground.end();
    }
  });
}

const sorted = (times) => [...times].sort((a, b) => a - b);
const middle = (times) => sorted(times)[Math.floor(times.length / 2)].toFixed(0);
const spread = (times) =>
  `${times.length} times, ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`;
