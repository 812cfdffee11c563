import { setTimeout as pause } from 'node:timers/promises';
import { middle } from '../measure.mjs';
import { atMost, row } from '../rows.mjs';

const ASK_EVERY_MS = 500;
const TIMES = 15;
/** The SDK answers it, and these workers keep no call stacks: it takes the way to the worker and back. */
const TRIVIAL = '__stack_trace';
const METADATA = '__temporal_workflow_metadata';
/** Most milliseconds at 5,000 steps. More steps have no goal. */
const [MOST_MS, OF_STEPS] = [50, 5000];

/** What Temporal's page asks for: the answer about a run all of whose steps are held, which is in the cache of its worker. */
export async function metadata(ground, steps, note) {
  const handle = await ground.release({ shape: 'held', steps }, { onFailure: 'hold' });
  try {
    // The server tells it: to ask for the status of thousands of steps again and again would hold up their worker.
    while ((await handle.describe()).searchAttributes.SlipwayHeld?.[0] !== steps) await pause(ASK_EVERY_MS);
    // What it answers is a workflow task, after which the server asks the worker that has the run in its cache.
    await handle.executeUpdate('note', { args: [{ reason: 'asked', by: 'bench' }] });
    const taken = { [TRIVIAL]: [], [METADATA]: [] };
    let answer;
    for (let time = 0; time < TIMES; time++)
      for (const query of [TRIVIAL, METADATA]) {
        const atMs = performance.now();
        answer = await handle.query(query);
        taken[query].push(performance.now() - atMs);
      }
    const named = `answer about metadata, ${steps.toLocaleString('en')} held steps`;
    note(`engine, ${named}: slowest ${Math.round(Math.max(...taken[METADATA]))} ms`);
    const reference = middle(taken[TRIVIAL]);
    const { definitions, details, all } = sizes(answer);
    return [
      row(`${named}, median`, middle(taken[METADATA]), 'ms', {
        ...{ reference, goal: steps <= OF_STEPS ? atMost(MOST_MS) : null },
      }),
      row(`${named}, definitions of handlers`, definitions, 'bytes', { goal: atMost(1200) }),
      row(`${named}, details`, details, 'bytes', { goal: atMost(4000) }),
      row(`${named}, size`, all, 'bytes'),
    ];
  } finally {
    // The handle of a start names its first history.
    await ground.client.workflow
      .getHandle(handle.workflowId)
      .terminate()
      .catch(() => undefined);
  }
}

/** In bytes. The SDK's own handlers begin with `__`. */
function sizes(answer) {
  const { definition, currentDetails } = answer;
  const handlers = ['query', 'signal', 'update'].flatMap((kind) => definition[`${kind}Definitions`]);
  const bytes = (value) => Buffer.byteLength(JSON.stringify(value));
  return {
    definitions: bytes(handlers.filter(({ name }) => !name.startsWith('__'))),
    details: Buffer.byteLength(currentDetails),
    all: bytes(answer),
  };
}
