import { accept, bases } from './builds.mjs';
import { clusters } from './clusters/index.mjs';
import { comments } from './comments.mjs';
import { config } from './config.mjs';
import { engine } from './engine/index.mjs';
import { example } from './example.mjs';
import { gigabyte } from './gigabyte.mjs';
import { history } from './history.mjs';
import { imports } from './import/index.mjs';
import { indexAnswers } from './index-answers/index.mjs';
import { known } from './known.mjs';
import { listed } from './listed.mjs';
import { operators } from './operators/index.mjs';
import { plan } from './plan.mjs';
import { rayExample } from './ray-example.mjs';
import { real } from './real/index.mjs';
import { sandbox } from './sandbox.mjs';
import { simulate } from './simulate.mjs';
import { sizes } from './sizes.mjs';
import { spack } from './spack/index.mjs';
import { spackLocks } from './spack/locks.mjs';
import { standings } from './standings.mjs';
import { upgrade, upgradeSteps } from './upgrade.mjs';
import { wheelExample } from './wheel-example.mjs';
import { wheelList } from './wheel-list.mjs';
import { start } from './start.mjs';
import { store } from './store.mjs';
import { wheelIndex } from './wheel-index.mjs';

/** Each takes `{root, folder, runs, steps, quick, note}` and answers its rows (rows.mjs). `runs` is null where nobody said it.
 * `npm run bench -- operators` measures that part alone. Cheapest first. */
export const PARTS = {
  start,
  plan,
  config,
  spackLocks,
  import: imports,
  index: indexAnswers,
  simulate,
  standings,
  history,
  wheelList,
  sizes,
  wheels: wheelIndex,
  sandbox,
  store,
  comments,
  gigabyte,
  listed,
  spack,
  example,
  rayExample,
  wheelExample,
  accept,
  bases,
  known,
  clusters,
  operators,
  engine,
  real,
  upgrade,
  upgradeSteps,
};
