/** @needs ray */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../src/activities/clusters/ports.js';
import { createLocalClusters } from '../../src/adapters/clusters/local.js';
import type { Result } from '../../src/model/result.js';
import { aRequest, bodyOn, problemOf, processesWith, rayLock, rayStep } from '../support/a-cluster-test.js';
import { runBody } from '../support/run-body.js';
import { until } from '../support/until.js';
import { aRayHome } from './at-end.js';

describe('given a local cluster with a real Ray that several tests use', () => {
  let home: string;
  let folder: string;
  let lock: Result;
  let cluster: Cluster;
  beforeAll(async () => {
    home = await aRayHome();
    lock = await rayLock(home);
    const made = aRequest(home);
    folder = made.folder;
    cluster = await createLocalClusters(made.request.programs).up(made.request);
  });
  afterAll(async () => {
    await cluster?.down();
    expect(processesWith(home)).toEqual([]);
  });

  let attempts = 0;
  /** Attempts of a run have the names of their jobs, so each is of a run of its own. */
  const run = (more: Parameters<typeof rayStep>[0]) => {
    const up = ({ folder: at }: { readonly folder: string }): Promise<Cluster> =>
      Promise.resolve({ ...cluster, at, down: () => Promise.resolve(null) });
    const id = String((attempts += 1)).padStart(16, '0');
    return runBody(bodyOn({ up }), rayStep(more), { home, inputs: [lock], run: id });
  };
  const failing = (more: Parameters<typeof rayStep>[0]) => problemOf(run(more));

  test('when the line `prepare` fails, then the test does not start', async () => {
    const problem = await failing({
      prepare: { run: 'echo preparing; exit 3', limitMs: 60_000 },
      run: 'echo "the test started"',
    });
    expect(problem).toMatchObject({ code: 'PREPARE_FAILED', class: 'product', details: { status: 3, ray: 43 } });
    expect(problem.evidence?.join('\n')).not.toContain('the test started');
  });

  test.each([
    ['no result', 'true', 'RESULT_ABSENT', 18],
    ['NaN in the result', `echo '{"total": NaN}' > "$TEST_OUTPUT_JSON"`, 'RESULT_NOT_JSON', 18],
    ['a value out of bounds', `echo '{"total": 9}' > "$TEST_OUTPUT_JSON"`, 'ALERT', 41],
  ])('when it leaves %s, then it ends as %s', async (_, line, code, ray) => {
    const alerts = [{ value: 'total', atMost: 3 }];
    const problem = await failing({ run: line, by: 'command', result: 'r.json', alerts });
    expect(problem).toMatchObject({ code, class: 'product', details: { ray } });
  });

  test('when fewer nodes join than it waits for, then it ends as NODES_MISSING', async () => {
    const problem = await failing({ wait: { nodes: 2, forMs: 3_000 } });
    expect(problem).toMatchObject({ code: 'NODES_MISSING', class: 'infra', details: { seen: 1, wanted: 2, ray: 33 } });
  });

  test('when a long test reaches its limit, then its alerts decide', async () => {
    // The limit may come in the middle of a write.
    const write = 'echo \'{"beats": 1}\' > new; mv new "$TEST_OUTPUT_JSON"';
    const beat = `while true; do ${write}; sleep 0.2; done`;
    const long = { long: true, result: 'r.json', alerts: [{ value: 'beats', atLeast: 1 }] };
    const [{ made }, problem] = await Promise.all([
      run({ ...long, test: { run: beat, limitMs: 15_000 } }),
      failing({ ...long, long: false, test: { run: beat, limitMs: 10_000 } }),
    ]);
    expect(made.artifacts.map(({ name }) => name)).toContain('r.json');
    expect(problem).toMatchObject({ code: 'TEST_TIMED_OUT', class: 'product', details: { ray: 42 } });
  });

  test('when a job with child processes is stopped, then each gets SIGTERM before the cluster ends', async () => {
    const stop = new AbortController();
    writeFileSync(join(folder, 'run.sh'), `cd ${folder}; exec bash run.line`);
    writeFileSync(
      join(folder, 'run.line'),
      `(trap 'echo told > child; exit' TERM; echo > begun; sleep 600 & wait) & trap 'echo told > leader' TERM; wait; wait`,
    );
    const ran = cluster.run({
      script: join(folder, 'run.sh'),
      by: 'job',
      ...{ id: 'a-job', endMs: 600_000, again: false, leaves: () => false },
      signal: stop.signal,
      onOutput: () => undefined,
    });
    ran.catch(() => undefined);
    await until(() => existsSync(join(folder, 'begun')));
    stop.abort();
    await expect(ran).rejects.toThrow();
    expect(['child', 'leader'].filter((name) => existsSync(join(folder, name)))).toEqual(['child', 'leader']);
  });
});
