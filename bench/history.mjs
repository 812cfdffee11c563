import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inTurn, middle, timed } from './measure.mjs';
import { ratioAtMost, row } from './rows.mjs';

const TESTS = 433;
const NIGHTS = 365;
const AT_ONCE = 64;
const quiet = { onLine: () => undefined };

/** The outcome of one attempt; every 40th fails with a stack trace. */
function outcomeOf(test, night) {
  const failed = (test * 7 + night) % 40 === 0;
  const crash = failed ? 'ray.exceptions.RayTaskError: ValueError\n'.repeat(20) : '';
  return {
    ...{ slipway: 1, pipeline: 'night', label: `night-${night}`, profile: 'local', run: `run-${night}` },
    ...{ step: `tests/many_nodes_${test}`, title: `many_nodes_${test}.aws`, repeat: 1, attempt: 1 },
    ...{ at: new Date(Date.UTC(2026, 0, 1) + night * 86_400_000).toISOString(), ms: 600_000 + test, branch: 'main' },
    ...{ commit: String(night).padStart(40, 'c'), tested: [], phase: 'run', metrics: null, crashPattern: crash },
    ...{ code: failed ? 'TEST_FAILED' : null, class: failed ? 'product' : null, exit: failed ? 7 : 0 },
    ...{ message: failed ? 'the test ended with status 7' : '', returnCode: failed ? 40 : 0 },
    ...{ results: { time: 12.5, perf_metrics: [{ perf_metric_name: 'tasks', perf_metric_value: test }] } },
    ...{ lastLogs: failed ? Array.from({ length: 20 }, (_, at) => `line ${at} of the log`) : [] },
    ...{ nodes: { seen: 3, lost: [] }, job: null, buildkite: null, smoke: false, stable: true, owner: 'core' },
    tags: { team: 'core', frequency: 'nightly' },
  };
}

async function written(store, records) {
  const all = Array.from({ length: TESTS * NIGHTS }, (_, at) => outcomeOf(at % TESTS, Math.floor(at / TESTS) + 1));
  const nameOf = (one) => records.outcome(one.pipeline, one.run, one.step.slice('tests/'.length), 1, 1);
  for (let at = 0; at < all.length; at += AT_ONCE)
    await Promise.all(all.slice(at, at + AT_ONCE).map((one) => store.create(nameOf(one), one)));
  return all.length;
}

/** `slipway history rebuild` over a year of 433 tests, against COPY of the same rows from a file into a table of the same shape. */
export async function history({ root, folder, runs, note }) {
  const require = createRequire(import.meta.url);
  const of = (path) => require(join(root, 'dist', path));
  const home = join(folder, 'history');
  mkdirSync(home, { recursive: true });
  const services = of('services/create-services.js').createServices({ ...process.env, SLIPWAY_HOME: home }, [
    'postgres',
  ]);
  const store = of('adapters/store/directory.js').createDirectoryStore(join(home, 'store'));
  const count = await written(store, of('model/run-folder.js').records);
  note(`wrote ${count} outcomes`);
  await services.up(quiet);
  try {
    const url = services.database();
    const psql = (command) =>
      timed(['psql', '--quiet', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1', '--command', command, url]);
    const open = await of('adapters/history/index.js').openHistory(url, store);
    const file = join(home, 'outcomes.copy');
    await open.rebuild();
    await psql(`\\copy outcome to '${file}'`);
    await psql('create table twin (like outcome including all)');
    const { rebuild, copy } = await inTurn(runs ?? 1, {
      rebuild: async () => {
        const start = performance.now();
        const { rows } = await open.rebuild();
        if (rows !== count) throw new Error(`the rebuild made ${rows} rows of ${count} outcomes`);
        return performance.now() - start;
      },
      copy: async () => {
        await psql('truncate twin');
        return psql(`\\copy twin from '${file}'`);
      },
    });
    await open.close();
    return [
      row(
        `history of ${count} outcomes rebuilt from the store, against COPY of its rows`,
        middle(rebuild) / 1000,
        's',
        {
          ...{ reference: middle(copy) / 1000, goal: ratioAtMost(3) },
        },
      ),
    ];
  } finally {
    await services.down(quiet);
  }
}
