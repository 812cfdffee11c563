import { connect } from 'slipway/client';

async function main(): Promise<void> {
  const client = await connect();
  for (const { workflowId, run, state } of await client.runs(20)) {
    if (state !== 'held') continue;
    const answer = await client.act(workflowId, { action: 'retry', by: 'ci' }, run);
    console.log(workflowId, answer.ok ? answer.did : `${answer.problem.code}: ${answer.problem.next}`);
  }
  await client.close();
}

main().catch((error: unknown) => {
  console.error(String(error));
  process.exitCode = 1;
});
