import { join } from 'node:path';
import { middle } from '../measure.mjs';
import { atMost, notTaken, ratioAtMost, row } from '../rows.mjs';
import { isLinux } from './child.mjs';
import { cold } from './cold.mjs';
import { EngineGround } from './ground.mjs';
import { metadata } from './metadata.mjs';
import { floor, ours, perStep } from './runs.mjs';

const LONG_MS = 20_000;
const MEGABYTE = 1_000_000;
/** The server refuses more than 51,200. */
const MOST_EVENTS = 35_000;
/** Share of a history's events after which its worker is killed. */
const NEAR = 0.93;

/** What the engine adds to what Temporal costs: steps that do nothing, stored nowhere but in histories. Each figure beside the
 * hand-written workflow in the same run, in turn. Some eight minutes on a machine that does nothing else; `--quick` takes one. */
export async function engine({ root, folder, runs: asked, quick, note }) {
  if (!isLinux)
    return [notTaken('the engine against a hand-written workflow', 'ms', 'CPU of processes is read from /proc')];
  const ground = await EngineGround.begin({ root, folder: join(folder, 'engine') });
  const runs = asked ?? (quick ? 1 : 3);
  const large = quick ? 2000 : 10_000;
  try {
    await warm(ground);
    const small = [
      ...(await againstFloor(ground, 100, runs + 2, note)),
      ...(await againstFloor(ground, 1000, runs, note)),
    ];
    const asked = [];
    for (const steps of quick ? [40, 5000] : [40, 5000, 20_000]) asked.push(...(await metadata(ground, steps, note)));
    return [...small, ...(await aLongStep(ground, note)), ...asked, ...(await growth(ground, large, note))];
  } finally {
    await ground.end();
  }
}

/** The first runs of a process pay for what later ones share. */
async function warm(ground) {
  for (const _ of [1, 2]) {
    await floor(ground, 200, { records: true });
    await ours(ground, { shape: 'flat', steps: 200 });
  }
}

/** The store's share is told apart: a release gets its plan from one activity and has its verdict kept by another, which here do nothing.
 * So the floor is taken with these two as well, and what the scheduler adds is what is above that one. */
async function againstFloor(ground, steps, runs, note) {
  const taken = { bare: [], floor: [], flat: [], random: [] };
  for (let run = 0; run < runs; run++) {
    taken.bare.push(await floor(ground, steps));
    taken.floor.push(await floor(ground, steps, { records: true }));
    for (const shape of ['flat', 'random']) taken[shape].push(await ours(ground, { shape, steps }));
  }
  const [bare, below, flat, random] = Object.values(taken).map(perStep);
  note(`engine, ${steps} steps, ms per step: ${JSON.stringify({ bare, floor: below, flat, random })}`);
  const named = `${steps.toLocaleString('en')} no-op steps`;
  const goal = ratioAtMost(1.1);
  const rows = (what, ours, costs, over) =>
    costs.map((cost) => row(`${what}, ${COSTS[cost]} per step`, ours[cost], 'ms', over(cost)));
  return [
    ...rows(named, flat, ['wall', 'server'], (cost) => ({ reference: below[cost], goal })),
    ...rows(named, flat, ['worker'], (cost) => ({ reference: below[cost] })),
    ...rows(`${named} in layers`, random, ['wall', 'server'], (cost) => ({ reference: below[cost] })),
    ...rows(`${named}, against a floor without plan and verdict`, flat, ['wall', 'server'], (cost) => ({
      reference: bare[cost],
    })),
    ...rows(`floor, ${named}: with plan and verdict, against without`, below, ['wall', 'server'], (cost) => ({
      reference: bare[cost],
    })),
    row(`floor, ${named}: CPU of the server per activity`, bare.server, 'ms'),
    row(`floor, ${named}: CPU of the worker per activity`, bare.worker, 'ms'),
  ];
}

/** A thousand steps never continue as new. A continuation waits for what runs. */
async function aLongStep(ground, note) {
  const { wallMs, handle } = await ours(ground, { shape: 'random', steps: 1000, longMs: LONG_MS });
  const { length } = await ground.histories(handle);
  note(`engine, a long step: ${length} history`);
  const [named, goal] = ['a 20 s step beside 1,000 others', ratioAtMost(1.05)];
  if (length > 1) return [notTaken(named, 's', 'the run continued as new', goal)];
  return [row(named, wallMs / 1000, 's', { reference: LONG_MS / 1000, goal })];
}

/** What a step costs in a long plan, against a plan of 1,000; and what a long one needs besides. */
async function growth(ground, large, note) {
  const rows = [];
  for (const shape of ['random', 'chain']) {
    const before = await ours(ground, { shape, steps: 1000 });
    await ground.slipway.kill();
    await ground.slipway.start(); // so that its peak is that of the long run
    const asked = [];
    const long = await ours(
      ground,
      { shape, steps: large },
      { during: async (handle) => asked.push(await roundTripMs(handle)) },
    );
    const short = meanOf(before, await ours(ground, { shape, steps: 1000 }));
    const histories = await ground.histories(long.handle);
    const bytes = histories.reduce((sum, { historySize }) => sum + (historySize ?? 0), 0);
    note(
      `engine, ${shape}: ${JSON.stringify({ short: short.per, long: long.per, asked: asked.map((ms) => ms && Math.round(ms)) })}`,
    );
    if (bytes === 0) throw new Error('the server told no size of the histories');
    const named = `${large.toLocaleString('en')} steps${shape === 'chain' ? ' in a chain' : ' in layers'}`;
    rows.push(
      ...['wall', 'server', 'worker'].map((what) =>
        row(`${named}, ${COSTS[what]} per step, against 1,000`, long.per[what], 'ms', {
          ...{ reference: short.per[what], goal: what === 'worker' ? null : ratioAtMost(1.2) },
        }),
      ),
      row(`${named}, memory of the workflows' worker`, ground.slipway.peakMb(), 'MB', { goal: atMost(400) }),
      row(`${named}, histories`, histories.length, ''),
      row(`${named}, events of its longest history`, Math.max(...histories.map((one) => one.historyLength)), '', {
        goal: atMost(MOST_EVENTS),
      }),
      row(`${named}, all its histories`, bytes / MEGABYTE, 'MB', { goal: atMost(shape === 'chain' ? 16 : 10) }),
      ...queries(`${named}, status query`, asked),
      await cold(ground, { named, plan: { shape, steps: large }, events: NEAR * histories[0].historyLength, note }),
    );
  }
  return rows;
}

/** A run of 1,000 before and one after: the machine may have become slower meanwhile. */
const meanOf = (one, other) => ({
  per: Object.fromEntries(Object.entries(one.per).map(([what, ms]) => [what, (ms + other.per[what]) / 2])),
});

const COSTS = { wall: 'wall', server: 'CPU of the server', worker: "CPU of the workflows' worker" };

function queries(named, asked) {
  const goal = atMost(300);
  const answered = asked.filter((ms) => ms !== null);
  const refused = row(`${named}, share without an answer`, 100 * (1 - answered.length / asked.length), '%', {
    goal: atMost(10),
  });
  if (answered.length === 0) return [notTaken(`${named}, median`, 'ms', 'no query was answered', goal), refused];
  return [
    row(`${named}, median`, middle(answered), 'ms', { goal }),
    row(`${named}, slowest`, Math.max(...answered), 'ms'),
    refused,
  ];
}

/** What `slipway status` asks. Null if it was not answered: a refusal is quick. */
async function roundTripMs(handle) {
  const atMs = performance.now();
  try {
    await handle.query('status');
    return performance.now() - atMs;
  } catch {
    return null;
  }
}
