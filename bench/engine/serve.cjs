const { writeFileSync } = require('node:fs');
const { dataConverter } = require('../../dist/adapters/temporal/codec/data-converter.js');
const { serverSettings } = require('../../dist/adapters/temporal/settings.js');
const { DefaultLogger, NativeConnection, Runtime, Worker } = require('@temporalio/worker');

/** Polls in this process until it is killed; the ready file then holds its pid.
 * @param polled {() => Promise<WorkerOptions[]> | WorkerOptions[]} what it serves */
exports.serve = async function serve({ address, ready, polled }) {
  Runtime.install({
    logger: new DefaultLogger('WARN'),
    telemetryOptions: { logging: { filter: 'WARN', forward: {} } },
  });
  const { namespace: _, ...server } = serverSettings({ ...process.env, TEMPORAL_ADDRESS: address }, null);
  const connection = await NativeConnection.connect(server);
  const common = { connection, dataConverter: await dataConverter({}) };
  const workers = [];
  for (const options of await polled()) workers.push(await Worker.create({ ...common, ...options }));
  const running = Promise.all(workers.map((worker) => worker.run()));
  writeFileSync(ready, String(process.pid));
  await running;
};
