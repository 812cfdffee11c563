import { connect, SlipwayFailure } from 'slipway/client';

const [file = '', name = '', version = ''] = process.argv.slice(2);
try {
  const client = await connect(); // the server of TEMPORAL_ADDRESS, else that of the home SLIPWAY_HOME
  const { workflowId, run } = await client.start({ file, name, version, rehearsal: true, onFailure: 'fail' });
  for await (const { state, steps } of client.follow(workflowId, run)) console.log(state, steps.length, 'steps');
  const { verdict } = await client.result(workflowId, run);
  console.log(verdict?.verdict, ...(verdict?.reasons ?? []));
  await client.close();
} catch (error) {
  if (!(error instanceof SlipwayFailure)) throw error;
  for (const { code, message, next } of error.problems) console.error(`${code}: ${message}\n  next: ${next}`);
  process.exitCode = 1;
}
