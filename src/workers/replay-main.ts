import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, bundleWorkflowCode, type ReplayWorkerOptions } from '@temporalio/worker';
import { home } from '../adapters/home.js';
import { serviceOf } from '../adapters/service-of.js';
import { dataConverter } from '../adapters/temporal/codec/data-converter.js';
import { serverSettings } from '../adapters/temporal/settings.js';
import { readsAll } from '../client/reads-all.js';
import { diverged } from './replay.js';
import { workflowCode, WORKFLOW_SOURCES } from './workflow-code.js';

/** A history page of up to 256 events may exceed gRPC's default of four megabytes. */
const PAGE_BYTES = 256 * 1024 * 1024;

/** `node replay-main.js [DEPLOYMENT:BUILD]`: prints one line of JSON with the open runs that fail to replay on this build. */
async function main(): Promise<void> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
  const { namespace, mark: _, ...server } = serverSettings(process.env, serviceOf(home(), 'temporal'));
  const channelArgs = { 'grpc.max_receive_message_length': PAGE_BYTES };
  const connection = await Connection.connect({ ...server, channelArgs });
  const converter = await dataConverter(process.env, 'worker');
  const address = server.address;
  const client = readsAll({ client: new Client({ connection, namespace }), address }, () => undefined);
  const code = async (): Promise<ReplayWorkerOptions> => {
    const { failureConverterPath } = converter;
    const { workflowBundle } = await workflowCode(join(home(), 'cache'), failureConverterPath);
    const bundled = () => bundleWorkflowCode({ ...WORKFLOW_SOURCES, failureConverterPath });
    return { workflowBundle: workflowBundle ?? (await bundled()), dataConverter: converter };
  };
  process.stdout.write(`${JSON.stringify(await diverged(client, code, process.argv[2]))}\n`);
  await connection.close();
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
