/** @needs temporal s3 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { machineName } from '../../src/activities/prove-queue/measure.js';
import { createS3Store } from '../../src/adapters/s3-store/index.js';
import { connect } from '../../src/client/connect.js';
import { CONTROL, workflowIdOf } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import type { RunStatus } from '../../src/model/messages.js';
import { records } from '../../src/model/run-folder.js';
import { createLogReader } from '../../src/adapters/logs/reader.js';
import { aServer, type Server, withS3 } from '../adapters/s3-store/a-server.js';
import { aPlan, aStep } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { signPlan } from '../support/sign-plan.js';
import { startTemporal } from '../temporal-env.js';
import { unlessFailed, until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';

const LINES = 20_000;

withS3('a store on S3 that goes down', () => {
  let env: TestWorkflowEnvironment;
  let server: Server;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    [env, server] = await Promise.all([startTemporal(), aServer()]);
  });
  afterAll(async () => {
    children.forEach((child) => child.kill('SIGKILL'));
    await Promise.all([env?.teardown(), server?.remove()]);
  });

  function startWorker(home: string, ...args: string[]): void {
    const { endpoint, credentials } = server.settings;
    const environment = {
      ...process.env,
      SLIPWAY_HOME: home,
      SLIPWAY_SANDBOX: 'none',
      TEMPORAL_ADDRESS: env.address,
      SLIPWAY_STORE: 's3://slipway',
      SLIPWAY_S3_ENDPOINT: endpoint!,
      AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    };
    children.push(startWorkerProcess(args, environment));
  }

  const command = (id: string, run: string, needs: readonly string[] = []) =>
    aStep(
      'runCommand',
      { run, env: {}, folder: '.', where: { in: 'host' }, outputs: ['out.txt'], expect: null },
      { id, on: machineName(), needs },
    );

  it('when the store goes down during a step, then this is reported, the step waits, and nothing is lost', async () => {
    const home = await homeWithWorkflows();
    const [mark, go] = [join(home, 'mark'), join(home, 'go')];
    const long = `touch ${mark}; until [ -e ${go} ]; do sleep 0.05; done; seq ${LINES}; echo made > out.txt`;
    const steps = [command('steps/long', long), command('steps/next', 'echo next | tee out.txt', ['steps/long'])];
    const store = createS3Store(server.settings, home);
    const plan = Buffer.from(
      canonical(aPlan({ isolation: 'none', profile: { name: 'local', rehearsal: true }, steps })),
    );
    const { digest } = await store.put(
      (async function* () {
        yield plan;
      })(),
    );
    await signPlan(home, store, digest);
    startWorker(home, '--workflows');
    startWorker(home, '--queue', CONTROL);
    startWorker(home, '--queue', machineName());
    await untilServed(env.connection, CONTROL, machineName());
    const client = await connect({ address: env.address });
    const workflowId = workflowIdOf({ name: 'skiff', version: '1.2.3', rehearsal: true });
    const { run } = await client.start({ plan: digest, name: 'skiff', version: '1.2.3', rehearsal: true });
    const statuses: RunStatus[] = [];
    const watching = (async () => {
      for await (const status of client.follow(workflowId, run)) statuses.push(status);
    })();
    const waits = (): string | undefined => statuses.at(-1)?.steps[0]?.because;

    await until(() => existsSync(mark));
    await server.stop();
    writeFileSync(go, '');
    await until(() => waits() !== undefined);
    expect(waits()).toBe(`the S3 store at ${server.settings.endpoint} does not answer`);
    await server.start();
    await unlessFailed(watching);
    await client.close();

    expect(statuses.at(-1)?.steps.map(({ id, state, attempt }) => [id, state, attempt])).toEqual([
      ['steps/long', 'done', 1],
      ['steps/next', 'done', 1],
    ]);
    expect(await store.read(records.status(run))).toMatchObject({ verdict: { verdict: 'rehearsed' } });
    let log = '';
    for await (const { text: piece } of createLogReader(store).pieces(records.log(run, 'steps/long', 1), {
      follow: false,
    }))
      log += piece;
    expect(log.split('\n').filter((line) => /^\d+$/.test(line))).toHaveLength(LINES);
  });
});
