import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationFailure, CancelledFailure, type MetricMeter, type MetricTags } from '@temporalio/common';
import { parse } from 'yaml';
import { metricsAddress, metricsSetting } from '../../src/adapters/temporal/metrics-address.js';
import { packageRoot } from '../../src/adapters/home.js';
import { fail } from '../../src/model/failure.js';
import { countedStore, createCounts } from '../../src/workers/metrics/counts.js';
import { createGauges, lookAtServer } from '../../src/workers/metrics/look.js';

test.each([
  [undefined, null],
  ['', null],
  ['9464', '127.0.0.1:9464'],
  ['0.0.0.0:9464', '0.0.0.0:9464'],
  ['[::1]:9464', '[::1]:9464'],
])('given SLIPWAY_METRICS=%s, then the page is at %s', (said, address) => {
  expect(metricsAddress({ SLIPWAY_METRICS: said })).toBe(address);
});

test.each([
  '0',
  '65536',
  'localhost:9464',
  'http://127.0.0.1:9464',
  '127.0.0.1',
  '::1:9464',
  '[10.0.0.1]:9464',
  ':9464',
])('given SLIPWAY_METRICS=%s, then it is refused with the value and the next command', (said) => {
  expect(() => metricsAddress({ SLIPWAY_METRICS: said })).toThrow(
    `METRICS_ADDRESS_INVALID: SLIPWAY_METRICS is ${said}`,
  );
});

test('given several workers of one command, then each has a port of its own, and the last one is checked too', () => {
  const env = { SLIPWAY_METRICS: '65534' };
  expect(metricsSetting({}, 1)).toEqual({});
  expect(metricsSetting(env, 1)).toEqual({ SLIPWAY_METRICS: '127.0.0.1:65535' });
  expect(() => metricsSetting(env, 2)).toThrow('METRICS_ADDRESS_INVALID');
});

/** A meter that keeps the last value of each series, or the sum of a counter's. */
function fakeMeter(): { readonly meter: MetricMeter; readonly values: Readonly<Record<string, number>> } {
  const values: Record<string, number> = {};
  const series = (name: string, tags: MetricTags = {}): string => [name, ...Object.values(tags)].join(' ');
  const metric = (name: string) => ({
    add: (value: number, tags?: MetricTags) => (values[series(name, tags)] = (values[series(name, tags)] ?? 0) + value),
    set: (value: number, tags?: MetricTags) => (values[series(name, tags)] = value),
  });
  return { meter: { createCounter: metric, createGauge: metric } as unknown as MetricMeter, values };
}

const coded = (failureClass: string) =>
  ApplicationFailure.create({ type: 'X', details: [{ problems: [{ code: 'X', class: failureClass }] }] });

test('given endings of every sort, then attempts are counted by kind, outcome and class', async () => {
  const { meter, values } = fakeMeter();
  const { attempt } = createCounts(meter);
  expect(values).toEqual({ slipway_publish_conflicts: 0, slipway_workers_lost: 0 });
  const done = { outcome: 'done' as const, ms: 1, worker: 'w', note: '' };
  const endings: readonly Promise<typeof done>[] = [
    Promise.resolve(done),
    Promise.resolve({ ...done, lost: [{ worker: 'other', atMs: 1 }] }),
    Promise.reject(coded('conflict')),
    Promise.reject(coded('cancelled')),
    Promise.reject(new CancelledFailure('cancelled')),
    Promise.reject(ApplicationFailure.retryable('its worker ended', 'WORKER_ENDED')),
    Promise.reject(new Error('no code')),
  ];
  endings.forEach((ending) => attempt('kind', ending));
  await Promise.allSettled(endings);
  expect(values).toEqual({
    'slipway_attempts kind done none': 2,
    'slipway_attempts kind failed lost': 2,
    'slipway_attempts kind failed conflict': 1,
    'slipway_attempts kind cancelled cancelled': 2,
    'slipway_attempts kind failed bug': 1,
    slipway_publish_conflicts: 1,
    slipway_workers_lost: 2,
  });
});

test('given requests to a store, then only those that the store itself did not carry out are counted', async () => {
  const { meter, values } = fakeMeter();
  const problem = (failureClass: 'infra' | 'product') =>
    fail({ code: 'X', class: failureClass, message: 'm', next: 'n' });
  const bare = {
    layout: () => 'no request',
    read: async () => 'there',
    put: () => Promise.reject(problem('infra')),
    get: () => Promise.reject(problem('product')),
    list: () => Promise.reject(new Error('ENOSPC')),
    has: () => Promise.reject(new CancelledFailure('cancelled')),
    fetch: () => Promise.reject(new DOMException('aborted', 'AbortError')),
  };
  const store = countedStore(bare, createCounts(meter).storeErrors);
  expect([store.layout(), await store.read()]).toEqual(['no request', 'there']);
  await Promise.allSettled([store.put(), store.get(), store.list(), store.has(), store.fetch()]);
  // Prometheus sees no increase of a series that begins with 1.
  expect(values).toMatchObject({
    'slipway_store_errors put': 1,
    'slipway_store_errors list': 1,
    'slipway_store_errors get': 0,
    'slipway_store_errors read': 0,
    'slipway_store_errors has': 0,
    'slipway_store_errors fetch': 0,
  });
});

test('given a meter that fails, when attempts, requests and looks end, then no rejection is left to end the worker', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('unhandledRejection', hear);
  const { meter } = fakeMeter();
  const broken = () => {
    throw new Error('the meter fails');
  };
  const { attempt } = createCounts(meter);
  attempt('kind', Promise.reject(ApplicationFailure.create({ details: ['no problems'] })));
  const store = countedStore({ put: () => Promise.reject(new Error('ENOSPC')) }, (_, times) => times > 0 && broken());
  await expect(store.put()).rejects.toThrow('ENOSPC');
  const over = new AbortController();
  const createGauge = () => ({ set: broken });
  const seen = { runs: [], backlogs: [], statuses: [], storeAnswers: true };
  const look = async () => (over.abort(), seen);
  await lookAtServer(look, { createGauge } as unknown as MetricMeter, over.signal);
  await new Promise((turn) => setImmediate(turn));
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

test('given runs, backlogs and outages, then the gauges tell them, and a queue without workers by its runs', () => {
  const { meter, values } = fakeMeter();
  const outage = { since: 0, steps: 1, message: 'm', next: 'n' };
  const nowMs = 100_000;
  const tell = createGauges(meter);
  const seen: Parameters<typeof tell>[0] = {
    runs: [{ workflowId: 'a', state: 'waiting', held: 2 }, { workflowId: 'b', state: 'waiting' }, { workflowId: 'c' }],
    backlogs: [
      { queue: 'control', tasks: 3, ageMs: 4000 },
      { queue: 'gpu', tasks: 0, ageMs: 0 },
    ],
    statuses: [
      { waiting: [{ queue: 'gpu', since: 40_000, steps: 1, could: '' }] },
      {
        waiting: [{ queue: 'control', since: 0, steps: 0, could: '' }],
        outages: [
          { ...outage, service: 'target:index' },
          { ...outage, service: 'docker on gpu' },
          { ...outage, service: 'docker.io:443' },
          { ...outage, service: 'store', until: 5 },
        ],
      },
    ],
    storeAnswers: false,
  };
  tell(seen, nowMs);
  expect(values).toMatchObject({
    'slipway_runs_open waiting': 2,
    'slipway_runs_open held': 0,
    slipway_steps_held: 2,
    'slipway_queue_waiting control': 3,
    'slipway_queue_oldest_seconds control': 4,
    'slipway_queue_oldest_seconds gpu': 60,
    'slipway_outages_open target': 1,
    'slipway_outages_open docker': 1,
    'slipway_outages_open server': 1,
    'slipway_outages_open store': 0,
    slipway_store_answers: 0,
    slipway_looked_timestamp_seconds: 100,
  });
});

test('given the alerts, then docs/observability.md tells each with the command that the alert names, and no other', () => {
  const text = (...path: readonly string[]) => readFileSync(join(packageRoot(), ...path), 'utf8');
  const { groups } = parse(text('config', 'observability', 'alerts.yaml')) as {
    groups: readonly { rules: readonly { alert: string; annotations: { next: string } }[] }[];
  };
  const rows = text('docs', 'observability.md').matchAll(/^\| `(Slipway\w+)` \|.*\| `([^`]+)`[^|]*\|$/gm);
  const told = [...rows].map(([, alert, next]) => `${alert} ${next}`);
  expect(told.sort()).toEqual(
    groups.flatMap(({ rules }) => rules.map(({ alert, annotations }) => `${alert} ${annotations.next}`)).sort(),
  );
});
