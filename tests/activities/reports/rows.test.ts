/** @needs s3 */
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { Bucket } from '../../../src/adapters/s3-store/bucket.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import type { Reporter } from '../../../src/model/tests/reporter.js';
import { aServer, type Server, withS3 } from '../../adapters/s3-store/a-server.js';
import { aFailure, anOutcome } from '../../model/tests/an-outcome.js';
import { newHome } from '../../support/run-body.js';
import { keepOutcome, reported } from './a-report.js';

withS3('rows of a run in a bucket', () => {
  let server: Server;
  let bucket: Bucket;
  beforeAll(async () => {
    server = await aServer();
    bucket = new Bucket(server.settings);
  });
  afterAll(() => server.remove());

  const reporter = (password = '$S3_SECRET', label = 'night-1'): Reporter => ({
    kind: 'rows',
    target: {
      ...{ name: 'results', kind: 's3', address: 's3://slipway/rows', repository: null },
      ...{ username: server.settings.credentials!.accessKeyId, password },
      extra: { kind: 's3', path: `night/${label}/{file}`, endpoint: server.settings.endpoint! },
    },
  });
  const around = () => ({
    surroundings: { env: { ...process.env, S3_SECRET: server.settings.credentials!.secretAccessKey, WRONG: 'no' } },
  });
  const filesUnder = async (prefix: string): Promise<readonly string[]> => {
    const { Contents = [] } = await bucket.client.send(new ListObjectsV2Command({ Bucket: 'slipway', Prefix: prefix }));
    return Contents.map(({ Key }) => Key!);
  };
  const rowsIn = async (key: string): Promise<readonly Record<string, unknown>[]> => {
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: 'slipway', Key: key }));
    const text = await Body!.transformToString();
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  test('given outcomes, then one file has a line for each attempt, and a second report writes nothing', async () => {
    const home = await newHome();
    await keepOutcome(home, 'many_nodes', aFailure());
    await keepOutcome(home, 'many_nodes', anOutcome({ attempt: 2 }));
    await keepOutcome(home, 'serve', anOutcome({ step: 'tests/serve', title: 'serve', smoke: true }));
    const first = await reported(home, 'run-1', reporter(), around());
    expect(first.made).toMatchObject({ note: '3 rows', facts: { reported: 3, existed: 0 } });
    const again = await reported(home, 'run-1', reporter(), { ...around(), attempt: 2 });
    expect(again.made).toMatchObject({ note: '3 rows, all of them reported before', facts: { existed: 3 } });
    expect(await filesUnder('rows/night/night-1/')).toEqual(['rows/night/night-1/run-1.jsonl']);
    const rows = await rowsIn('rows/night/night-1/run-1.jsonl');
    expect(rows).toMatchObject([
      {
        _table: 'release_test_result',
        name: 'many_nodes.aws',
        return_code: 40,
        code: 'TEST_FAILED',
        exit: 7,
        attempt: 1,
      },
      { status: 'success', runtime: 61.5, team: 'core', extra_tags: { cost: 'low' }, attempt: 2, nodes_seen: 3 },
      { name: 'serve', smoke_test: true, test: 'serve', pipeline: 'night', run: 'run-1' },
    ]);
  });

  test('given a test that ran again after the report, then a second file has all rows', async () => {
    const home = await newHome();
    await keepOutcome(home, 'many_nodes', aFailure());
    await reported(home, 'run-1', reporter('$S3_SECRET', 'night-2'), around());
    await keepOutcome(home, 'many_nodes', anOutcome({ attempt: 2 }));
    for (const attempt of [2, 3])
      await reported(home, 'run-1', reporter('$S3_SECRET', 'night-2'), { ...around(), attempt });
    const files = await filesUnder('rows/night/night-2/');
    expect(files).toHaveLength(2);
    const lengths = await Promise.all(files.map(async (file) => (await rowsIn(file)).length));
    expect(lengths.sort()).toEqual([1, 2]);
  });

  test('given a server that is down or refuses the key, then the report fails with that code, and a retry completes it', async () => {
    const home = await newHome();
    await keepOutcome(home, 'many_nodes', anOutcome());
    const failed = (to: Reporter): Promise<SlipwayFailure> =>
      reported(home, 'run-1', to, around()).then(() => Promise.reject(new Error('reported')), (error: SlipwayFailure) => error); // prettier-ignore
    expect((await failed(reporter('$WRONG', 'night-3'))).first).toMatchObject({
      code: 'TARGET_DENIED',
      class: 'denied',
    });
    await server.stop();
    expect((await failed(reporter('$S3_SECRET', 'night-3'))).first).toMatchObject({
      ...{ code: 'TARGET_UNREACHABLE', class: 'infra', service: 'target:results' },
    });
    await server.start();
    await reported(home, 'run-1', reporter('$S3_SECRET', 'night-3'), around());
    expect(await filesUnder('rows/night/night-3/')).toHaveLength(1);
  });
});

test('given invalid outcome records, then they are left out, and the log says so', async () => {
  const home = await newHome();
  await keepOutcome(home, 'odd', { ...anOutcome(), phase: 'lunch' } as never);
  const nowhere: Reporter = { kind: 'postgres', url: '$NOWHERE', table: 'results' };
  const { made, log } = await reported(home, 'run-1', nowhere);
  expect(made.note).toBe('0 rows');
  expect(log).toContain('1 record under outcomes/ could not be read');
});
