import { createRequire } from 'node:module';

const { nextHistory } = createRequire(import.meta.url)('../dist/client/history-chain.js');

/** Describes all histories of a run, the first one first.
 * @param first Temporal's id of the first */
export async function historiesOf(client, workflowId, first) {
  const found = [];
  for (let runId = first; runId !== null;) {
    const described = await client.workflow.getHandle(workflowId, runId).describe();
    found.push(described);
    runId = await nextHistory({ client }, described);
  }
  return found;
}
