/** @long @needs temporal s3 services postgres */
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { Bucket } from '../../src/adapters/s3-store/bucket.js';
import { CONTROL, FLEET } from '../../src/model/ids.js';
import type { Reporter } from '../../src/model/tests/reporter.js';
import { createServices } from '../../src/services/create-services.js';
import { databaseUrl } from '../../src/services/database-url.js';
import type { RunOutcome } from '../../src/workflows/release.js';
import { keepNight, keepOutcome, reported } from '../activities/reports/a-report.js';
import { aServer, type Server, withS3 } from '../adapters/s3-store/a-server.js';
import { startGithub, type GithubDouble } from '../doubles/github.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { after } from '../engine/standings/a-night.js';
import { anOutcome } from '../model/tests/an-outcome.js';
import { aHome } from '../services/a-home.js';
import { newHome } from '../support/run-body.js';
import { bundleWorkflows, makeWorker, startTimeSkipping } from '../temporal-env.js';
import { ending, fakeActivities, type FakeStep } from './fake-activities.js';

const MINUTE_MS = 60_000;
/** A try of an absent bucket takes a second of real time. */
const AWAY_MS: Readonly<Record<string, number>> = {
  github: 60 * MINUTE_MS,
  rows: 10 * MINUTE_MS,
  postgres: 60 * MINUTE_MS,
};
const quiet = { onLine: (): void => undefined };
const TELL = { after: [1], kind: 'reportTests', stage: 'report', limitMs: 60_000, onFailure: 'tell' } as const;
const SERVICES: Readonly<Record<string, string>> = {
  'reports/github': 'target:reports.github',
  'reports/rows': 'target:results',
  'reports/postgres': 'target:reports.postgres',
};
/** A night with one report, as a plan has it. */
const nightOf = (id: string) =>
  aSkeleton(
    [
      { id: 'tests/t', kind: 'runOnCluster', stage: 'tests' },
      { id: 'report/standings', kind: 'keepStandings', stage: 'report', after: [0] },
      { id, ...TELL, services: [SERVICES[id]!] },
    ],
    { pipeline: true },
  );

/** Real clients of a tracker, a bucket and a database that are away until a moment of Temporal's clock. */
async function aWorld(github: GithubDouble, s3: Server, database: string) {
  const home = await newHome();
  const run = await keepNight(home, after('FF'));
  for (const attempt of [1, 2]) await keepOutcome(home, 't', anOutcome({ run, attempt }));
  const reporters: Readonly<Record<string, Reporter>> = {
    'reports/github': {
      ...{ kind: 'github', address: github.address, repository: github.repository, token: github.token },
      ...{ blocker: null, branch: 'master' },
    },
    'reports/rows': {
      kind: 'rows',
      target: {
        ...{ name: 'results', kind: 's3', address: 's3://slipway/rows', repository: null },
        ...{ username: s3.settings.credentials!.accessKeyId, password: '$S3_SECRET' },
        extra: { kind: 's3', path: 'night/{file}', endpoint: s3.settings.endpoint! },
      },
    },
    'reports/postgres': { kind: 'postgres', url: '$DATABASE', table: 'results' },
  };
  const begunMs: Record<string, number> = {};
  const tries: Record<string, number> = {};
  const step: FakeStep = async ({ step: id, attempt }) => {
    const reporter = reporters[id];
    if (reporter === undefined) return ending;
    const nowMs = Context.current().info.currentAttemptScheduledTimestampMs; // by the server's clock
    begunMs[id] ??= nowMs;
    tries[id] = (tries[id] ?? 0) + 1;
    const isAway = nowMs < begunMs[id]! + AWAY_MS[reporter.kind]!;
    if (reporter.kind === 'github') github.outage = isAway ? 1_000 : 0;
    if (reporter.kind === 'rows' && !isAway) await s3.start();
    const env = {
      ...{ ...process.env, S3_SECRET: s3.settings.credentials!.secretAccessKey },
      DATABASE: isAway ? database.replace(/@[^/]*/, '@127.0.0.1:1') : database,
    };
    await reported(home, run, reporter, { attempt, surroundings: { env } });
    return ending;
  };
  return { step, tries };
}

withS3('reports of a night', () => {
  const services = { close: async (): Promise<void> => undefined, database: '' };
  let [env, github, s3] = [] as unknown as [TestWorkflowEnvironment, GithubDouble, Server];
  beforeAll(async () => {
    const { home, env: own, remove } = await aHome();
    const up = createServices(own, ['postgres']);
    services.close = async () => {
      await up.down(quiet);
      remove();
    };
    [env, github, s3] = await Promise.all([startTimeSkipping(), startGithub(), aServer(), up.up(quiet)]);
    services.database = databaseUrl(home, up.address('postgres')!);
    await s3.stop();
  });
  afterAll(async () => {
    await Promise.all([env.teardown(), github.stop(), s3.remove(), services.close()]);
  });

  test('given a tracker and a database that are away for an hour, and a bucket for ten minutes, then each report is written once, and no try is used', async () => {
    const { step, tries } = await aWorld(github, s3, services.database);
    github.faults.push({ of: 'POST /issues', fault: { status: 429, headers: { 'retry-after': '0' } } });
    github.faults.push({ of: 'POST /issues', fault: 'lost' });
    const watch = { watchFleet: () => Promise.reject(ApplicationFailure.nonRetryable('nobody watches')) };
    const bundle = await bundleWorkflows();
    // One after another: Temporal's test server stops answering now and then if three activities end while it skips time.
    for (const id of Object.keys(SERVICES)) {
      const night = nightOf(id);
      const activities = { ...fakeActivities(() => night, step), ...watch };
      const [control, fleet] = await Promise.all(
        [CONTROL, FLEET].map((taskQueue) => makeWorker(env, bundle, activities, { taskQueue })),
      );
      const { verdict, status } = await fleet!.runUntil(
        control!.runUntil(async () => {
          const started = await env.client.workflow.start('pipeline', {
            ...{ workflowId: 'pipeline/thing/1.0', taskQueue: CONTROL, args: [{ file: 'slipway.yaml' }] },
          });
          return (await started.result()) as RunOutcome;
        }),
      );
      expect(verdict).toBe('done');
      expect(status.steps.map(({ id: step, state }) => `${step} ${state}`)).toEqual(
        night.steps.map(({ id: step }) => `${step} done`),
      );
      expect(status.outages!.map(({ service }) => service)).toEqual([SERVICES[id]]);
    }
    for (const id of ['reports/github', 'reports/rows', 'reports/postgres']) expect(tries[id]).toBeGreaterThan(5);

    expect(github.issues).toHaveLength(1);
    const bucket = new Bucket(s3.settings);
    const { Contents = [] } = await bucket.client.send(
      new ListObjectsV2Command({ Bucket: 'slipway', Prefix: 'rows/' }),
    );
    expect(Contents.map(({ Key }) => Key)).toEqual(['rows/night/run-2.jsonl']);
    const client = new Client(services.database);
    await client.connect();
    const { rows } = await client.query<{ key: string }>('select key from results order by key');
    await client.end();
    expect(rows.map(({ key }) => key)).toEqual(['run-2/t/1-001', 'run-2/t/1-002']);
  });
});
