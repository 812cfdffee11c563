// node examples/ci/start-release.mjs FILE NAME VERSION: starts a release, or finds the one that runs, and follows it.
// Exit code: 0 released or rehearsed, 1 failed, 2 usage, 3 cancelled. Killed and started again, it finds the same run.
import { resolve } from 'node:path';
import { dataConverter } from '../../dist/adapters/temporal/codec/data-converter.js';
import { serverSettings } from '../../dist/adapters/temporal/settings.js';
import { connectClient } from '../../dist/client/connect.js';
import { createServices } from '../../dist/services/create-services.js';

const [file, name, version] = process.argv.slice(2);
if (version === undefined) {
  console.error('usage: node examples/ci/start-release.mjs FILE NAME VERSION');
  process.exit(2);
}
// The server of TEMPORAL_ADDRESS, else the one of `slipway up`, with the certificates of its home.
const server = serverSettings(process.env, createServices().server());
// Opens compressed answers, and with SLIPWAY_CODEC_KEYS encrypted ones.
const client = await connectClient({ ...server, dataConverter: await dataConverter(process.env) });
const { workflowId, run } = await client.start({ file: resolve(file), name, version, rehearsal: true, onFailure: 'fail' });
let last;
for await (last of client.watch(workflowId, run)) {
  const steps = last.steps.filter(({ state }) => state !== 'dropped');
  const ended = steps.filter(({ state }) => !['waiting', 'running', 'backing off'].includes(state));
  console.log(`${workflowId}  ${last.verdict?.verdict ?? last.state}  ${ended.length} of ${steps.length} steps`);
}
for (const problem of [...last.problems, ...last.steps.flatMap((step) => step.problems ?? [])])
  console.error(`${problem.code}: ${problem.message}\n  ${problem.next}`);
await client.close();
process.exitCode = { released: 0, rehearsed: 0, cancelled: 3 }[last.verdict.verdict] ?? 1;
