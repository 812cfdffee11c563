import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committed } from './committed.mjs';
import { inHome, slipway, warmCache } from './example.mjs';
import { homeServer } from './home-server.mjs';
import { chain } from './known.mjs';
import { inTurn, middle, timed } from './measure.mjs';
import { notTaken, ratioAtMost, row } from './rows.mjs';
import { throughDoor } from './through-door.mjs';

const STEPS = 1000;
const NOT_SLOWER = ratioAtMost(1.03);

/** This checkout against an older one (`--before`), each with its own services; both are up at once and measured in turn.
 * Takes releases of the example: nothing known, everything known, and by `npm start` with services down. Both checkouts
 * must be set up. */
export async function upgrade({ root, folder, before, runs, note }) {
  if (before === null) return [notTaken('the example against an older checkout', 's', NEEDS_BEFORE)];
  const at = join(root, 'examples', 'jep');
  const { cache } = await warmCache({ root, folder, at });
  return inHomes({ root, before, folder, cache }, async (sides) => {
    const ways = (way) => Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, () => way(side)]));
    const release = ({ root: own, env }) =>
      timed([...slipway(own), 'run', join(at, 'slipway.yaml'), '--wait'], { env });
    const cold = await once(ways(release));
    note(`upgrade, nothing known: ${JSON.stringify(cold)}`);
    const known = await inTurn(runs ?? 5, ways(release));
    const started = await inTurn(runs ?? 3, ways(start));
    note(`upgrade, known and started: ${JSON.stringify({ known, started })}`);
    return [
      compared('the example, nothing known, against the older checkout', cold, ratioAtMost(1.05)),
      compared('the example, everything known, against the older checkout', known, NOT_SLOWER),
      compared('npm start of a set-up clone, services down, against the older checkout', started, NOT_SLOWER),
    ];
  });
}

/** The same for what many steps cost: in a chain of steps that only echo, each waits for the answer to the step before. */
export async function upgradeSteps({ root, folder, before, runs, note }) {
  if (before === null) return [notTaken(`${STEPS} steps against an older checkout`, 's', NEEDS_BEFORE)];
  return inHomes({ root, before, folder }, async (sides) => {
    const ways = (way) => Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, () => way(side)]));
    const made = { now: [], before: [] };
    const known = { now: [], before: [] };
    for (let round = 0; round < 2; round++) {
      const file = chainIn(folder, round);
      const run = ({ root: own, env }) => timed([...slipway(own), 'run', file, '--wait'], { env });
      for (const [name, [ms]] of Object.entries(await once(ways(run)))) made[name].push(ms);
      for (const [name, all] of Object.entries(await inTurn(runs ?? 3, ways(run)))) known[name].push(...all);
    }
    const bare = await throughDoor({ root, folder, runs: runs ?? 5, servers: serversOf(root, sides), steps: STEPS });
    note(`upgradeSteps: ${JSON.stringify({ made, known, bare })}`);
    return [
      compared(`${STEPS} steps that echo, in a chain, against the older checkout`, made, ratioAtMost(1.1)),
      compared(`${STEPS} known steps, against the older checkout`, known, NOT_SLOWER),
      compared(
        `${STEPS} no-op activities of a hand-written workflow, against the older checkout`,
        bare,
        ratioAtMost(1.1),
      ),
    ];
  });
}

const NEEDS_BEFORE = '`--before PATH` names no older checkout';

const inHomes = ({ root, before, folder, cache }, work) =>
  inHome({ root: before, home: join(folder, 'ub'), cache }, (envBefore) =>
    inHome({ root, home: join(folder, 'un'), cache }, (env) =>
      work({ before: { root: before, env: envBefore }, now: { root, env } }),
    ),
  );

/** From services that are down to the end of a release whose results are all known. */
async function start({ root, env }) {
  await timed([...slipway(root), 'down'], { env });
  return timed(['npm', 'start'], { env, cwd: root });
}

const serversOf = (root, sides) =>
  Object.fromEntries(Object.entries(sides).map(([name, { env }]) => [name, homeServer(root, env.SLIPWAY_HOME)]));

async function once(ways) {
  const taken = {};
  for (const [name, way] of Object.entries(ways)) taken[name] = [await way()];
  return taken;
}

const compared = (name, { now, before }, goal) =>
  row(name, middle(now) / 1000, 's', { reference: middle(before) / 1000, goal });

function chainIn(folder, round) {
  const at = join(folder, `chain-${round}`);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'slipway.yaml'), chain(STEPS, `round ${round} `));
  committed(at);
  return join(at, 'slipway.yaml');
}
