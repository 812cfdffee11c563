import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode, type WorkerOptions } from '@temporalio/worker';
import { divergingRuns } from './support/diverging-runs.js';
import { keptBundle } from './support/bundle-cache.js';
import { CONVERTER, WORKER_CONVERTER } from './support/converter.js';

const ROOT = join(__dirname, '..');
const EXECUTABLE = join(ROOT, '.tools/bin/temporal');
const TEST_SERVER = join(ROOT, '.tools/bin/temporal-test-server');

/** The bundler and the workers tell much, and failing steps are what tests are about. */
const quiet = new DefaultLogger('ERROR');

/** For suites that make workers; who calls it also calls `Runtime.instance().shutdown()`, or the process stays. */
export function quieten(workerHeartbeatInterval?: number): void {
  const beats = workerHeartbeatInterval === undefined ? {} : { workerHeartbeatInterval };
  Runtime.install({ logger: quiet, ...beats, telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
}

/** The real dev server, once per suite: `beforeAll(async () => { env = await startTemporal(); })`.
 * @param database a file for it; absent: memory
 * @param more values of its dynamic configuration: `name=value` @param beatMs between two beats of a worker */
export async function startTemporal(
  database?: string,
  more: readonly string[] = [],
  beatMs?: number,
): Promise<TestWorkflowEnvironment> {
  if (!existsSync(EXECUTABLE)) throw new Error(`no Temporal server at ${EXECUTABLE}; \`npm start\` sets it up`);
  quieten(beatMs);
  const options: LocalOptions = {
    client: { dataConverter: CONVERTER },
    server: {
      executable: { type: 'existing-path', path: EXECUTABLE },
      ip: '127.0.0.1',
      ...(database === undefined ? {} : { dbFilename: database }),
      searchAttributes: [
        { name: 'SlipwayRelease', type: 'KEYWORD' },
        { name: 'SlipwayState', type: 'KEYWORD' },
        { name: 'SlipwayHeld', type: 'INT' },
      ],
      extraArgs: [
        ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=5000'],
        ...['--dynamic-config-value', 'history.timerProcessorMaxPollRPS=5000'],
        ...['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="10ms"'],
        ...more.flatMap((value) => ['--dynamic-config-value', value]),
      ],
    },
  };
  return replayingAtTheEnd(await started(() => TestWorkflowEnvironment.createLocal(options)));
}
type LocalOptions = NonNullable<Parameters<typeof TestWorkflowEnvironment.createLocal>[0]>;

/** Starts a server up to five times: the SDK waits five seconds for it, and on a busy machine it takes longer now and then. */
async function started(start: () => Promise<TestWorkflowEnvironment>, tries = 5): Promise<TestWorkflowEnvironment> {
  try {
    return await start();
  } catch (error) {
    if (tries === 1 || !String(error).includes('did not start within')) throw error;
    return started(start, tries - 1);
  }
}

/** Replays every history of the suite before its server ends, and fails the suite where one diverges. */
function replayingAtTheEnd(env: TestWorkflowEnvironment): TestWorkflowEnvironment {
  const teardown = env.teardown.bind(env);
  env.teardown = async () => {
    try {
      const diverging = await divergingRuns(env.address, await bundleWorkflows());
      if (diverging.length > 0) throw new Error(`histories do not replay:\n${diverging.join('\n')}`);
    } finally {
      await teardown();
    }
  };
  return env;
}

/** A server of Temporal's whose clock goes on by itself while no activity is under way: an hour takes no time. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  quieten();
  const executable = { type: 'existing-path', path: TEST_SERVER } as const;
  const options = { server: { executable }, client: { dataConverter: CONVERTER } };
  const env = await started(() => TestWorkflowEnvironment.createTimeSkipping(options));
  const [keyword, int] = [2, 3]; // IndexedValueType of its protocol
  const searchAttributes = { SlipwayRelease: keyword, SlipwayState: keyword, SlipwayHeld: int };
  await env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  return env;
}

/** The workflows as they stand in src/, bundled the way the worker does it.
 * @param failureConverterPath where failures are encrypted too */
export const bundleWorkflows = (failureConverterPath?: string): Promise<{ code: string }> =>
  keptBundle(failureConverterPath ?? '', () => bundleAnew(failureConverterPath));

/** The same, made now. */
export const bundleAnew = (failureConverterPath?: string): Promise<{ code: string }> =>
  bundleWorkflowCode({
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
    workflowsPath: join(ROOT, 'src/workflows/index.ts'),
    workflowInterceptorModules: [join(ROOT, 'src/workflows/premature-activation.ts')],
    logger: quiet,
    webpackConfigHook: (config) => ({
      ...config,
      resolve: { ...config.resolve, extensionAlias: { '.js': ['.ts', '.js'] } },
    }),
  });

/** A worker for the `control` queue with the options that `slipway worker` uses. */
export function makeWorker(
  env: TestWorkflowEnvironment,
  workflowBundle: { code: string },
  activities: object,
  options: Partial<WorkerOptions> = {},
): Promise<Worker> {
  return Worker.create({
    connection: env.nativeConnection,
    taskQueue: 'control',
    workflowBundle,
    activities,
    dataConverter: WORKER_CONVERTER,
    stickyQueueScheduleToStartTimeout: 200,
    // Workflow code runs on this thread. A thread of its own takes half a second of CPU for each worker, and suites make hundreds.
    debugMode: true,
    maxHeartbeatThrottleInterval: 500,
    // A worker that cannot end would hide the error that ended its test.
    shutdownForceTime: '3 minutes',
    ...options,
  });
}
