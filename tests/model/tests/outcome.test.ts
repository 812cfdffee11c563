import type { JsonObject } from '../../../src/model/json.js';
import { Outcome } from '../../../src/model/schema/outcome.js';
import { rayRow, rayStatus } from '../../../src/model/tests/ray-row.js';
import { boundedOutcome, testOf } from '../../../src/model/tests/outcome.js';
import { aFailure, anOutcome } from './an-outcome.js';

const deep = (levels: number): JsonObject =>
  Array.from({ length: levels }).reduce<JsonObject>((inner) => ({ a: inner }), {});

describe('a record of an outcome', () => {
  test('given a written outcome, when it is read, then it is the same', () => {
    for (const outcome of [anOutcome(), aFailure({ nodes: { seen: 2, lost: [{ node: 'w1', atMs: 5 }] } })])
      expect(Outcome.parse(JSON.parse(JSON.stringify(outcome)))).toEqual(outcome);
  });

  test.each<[what: string, wrong: object]>([
    ['an unknown class', { class: 'transient' }],
    ['an invalid time', { at: 'yesterday' }],
    ['an attempt 0', { attempt: 0 }],
    ['a status that no process has', { exit: 256 }],
    ['an invalid digest', { metrics: 'sha256:1' }],
    ['101 lines', { lastLogs: Array.from({ length: 101 }, () => '') }],
    ['a line of 2,001 characters', { lastLogs: ['x'.repeat(2001)] }],
    ['results of 70 kB', { results: { text: 'x'.repeat(70_000) } }],
    ['results that are no object', { results: [1] }],
    ['results 100,000 levels deep', { results: deep(100_000) }],
    ['results 101 levels deep', { results: deep(101) }],
    ['a pattern of 4,001 characters', { crashPattern: 'x'.repeat(4001) }],
    ['no step', { step: undefined }],
  ])('given %s, then it is refused', (_what, wrong) => {
    expect(Outcome.safeParse({ ...anOutcome(), ...wrong }).success).toBe(false);
  });

  test('given results of 100 levels, then the outcome keeps them, and results of more are left out', () => {
    const kept = { ...anOutcome(), results: deep(100) };
    expect(Outcome.parse(boundedOutcome(kept))).toEqual(kept);
    expect(boundedOutcome({ ...kept, results: deep(101) }).results).toBeNull();
  });

  test('given keys of a newer writer, then they are left out', () => {
    expect(Outcome.parse({ ...anOutcome(), more: 1 })).toEqual(anOutcome());
  });

  test('given an outcome above every limit, when it is bounded, then it can be read, and the last lines stay', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `${at} ${'x'.repeat(5000)}`);
    const bounded = boundedOutcome(
      aFailure({
        ...{ lastLogs: lines, results: { text: 'x'.repeat(70_000) }, crashPattern: 'x'.repeat(5000) },
        ...{ message: 'x'.repeat(5000), tested: Array.from({ length: 300 }, (_, at) => tested(at)) },
        nodes: { seen: 500, lost: Array.from({ length: 500 }, (_, at) => ({ node: `w${at}`, atMs: at })) },
      }),
    );
    expect(Outcome.safeParse(bounded).error).toBeUndefined();
    expect(bounded.lastLogs.at(-1)).toMatch(/^299 x/);
    expect(bounded.results).toBeNull();
    expect(boundedOutcome(aFailure({ results: deep(100_000) })).results).toBeNull();
  });
});
const tested = (at: number) => ({ name: `${at}.whl`, digest: `sha256:${'a'.repeat(64)}` as const });

test.each([
  ['tests/a', {}, 'a', 1],
  ['tests/a/cp311', { python: 'cp311' }, 'a@cp311', 1],
  ['tests/a/cp311/2', { repeat: '2', python: 'cp311' }, 'a@cp311', 2],
  ['tests/a/2/x/cp311', { size: 'x', repeat: '2', python: 'cp311' }, 'a@cp311@x', 2],
])('given the step %s, then its repeats have one test name', (id, axes, test, repeat) => {
  expect(testOf({ id, axes })).toEqual({ test, repeat });
});

test.each([
  [0, 'success'],
  [3, 'runtime_error'],
  [15, 'infra_error'],
  [33, 'infra_timeout'],
  [40, 'error'],
  [42, 'timeout'],
  [43, 'error'],
  [25, 'unknown'],
])("given Ray's number %i, then its status is %s", (code, status) => {
  expect(rayStatus(code)).toBe(status);
});

test("given a failure, then its row has the 20 fields of Ray's table", () => {
  expect(rayRow(aFailure())).toEqual({
    _table: 'release_test_result',
    report_timestamp_ms: Date.parse('2026-11-22T03:00:00.000Z'),
    ...{ status: 'error', branch: 'master', commit: 'c'.repeat(40), results: {}, name: 'many_nodes.aws', group: '' },
    ...{ team: 'core', frequency: 'nightly', job_id: 'job-1', job_url: 'http://10.0.0.2:8265', buildkite_url: '' },
    ...{ buildkite_job_id: '', runtime: 61.5, stable: true, return_code: 40, smoke_test: false },
    ...{ extra_tags: { cost: 'low' }, crash_pattern: '' },
  });
});

test('given a run that Buildkite started, then its row names build and job as Ray does', () => {
  const buildkite = { url: 'https://buildkite.example.invalid/7', job: 'j-1' };
  expect(rayRow(aFailure({ buildkite }))).toMatchObject({
    buildkite_url: 'https://buildkite.example.invalid/7#j-1',
    buildkite_job_id: 'j-1',
  });
});
