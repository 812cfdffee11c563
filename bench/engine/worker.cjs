// node bench/engine/worker.cjs slipway|floor ADDRESS READY-FILE: one process that does nothing but Temporal's work.
const { dirname, join } = require('node:path');
const { ApplicationFailure, Context } = require('@temporalio/activity');
const { createLoadCheckpoint, createSaveCheckpoint } = require('../../dist/activities/report/checkpoints.js');
const { createDirectoryStore } = require('../../dist/adapters/store/directory.js');
const { KINDS } = require('../../dist/model/kinds.js');
const { CONTROL, FLEET } = require('../../dist/model/ids.js');
const { workflowCode } = require('../../dist/workers/workflow-code.js');
const { WORKFLOW_OPTIONS } = require('../../dist/workers/workflow-code.js');
const { FLOOR, FLOOR_STEPS, STEPS } = require('./queues.cjs');
const { serve } = require('./serve.cjs');
const { skeletonOf } = require('./shapes.cjs');

/** The same slots for both: neither is measured by its number of pollers. */
const SLOTS = { maxConcurrentActivityTaskExecutions: 100 };

/** What a held step shows. */
const PROBLEM = {
  ...{ code: 'STEP_COMMAND_FAILED', class: 'product', message: 'the command ended with status 1' },
  ...{ next: 'Fix the command.', evidence: Array.from({ length: 20 }, (_, line) => `line ${line}`) },
};

/** Steps that do nothing, fail, or last as long as their name says. */
async function step({ step: id }) {
  if (id.includes('held-'))
    throw ApplicationFailure.create({ type: PROBLEM.code, nonRetryable: true, details: [{ problems: [PROBLEM] }] });
  const longMs = Number(/long-(\d+)/.exec(id)?.[1] ?? 0);
  if (longMs > 0) await lasting(longMs);
  return { outcome: 'done', ms: longMs, worker: 'bench', note: '' };
}

/** @param ms absent: until it is cancelled */
async function lasting(ms) {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 1000);
  await (ms === undefined ? context.cancelled : context.sleep(ms)).finally(() => clearInterval(beat));
}

/** A fleet in which nothing changes. */
const watchFleet = () => lasting();

/** The plan and the verdict of a release, without a store. */
const RECORDS = {
  makePlan: async ({ file }) => skeletonOf(JSON.parse(file)),
  keepStatus: async () => undefined,
};

/** A run that continues as new keeps its checkpoint in a store. */
function checkpoints(ready) {
  const store = createDirectoryStore(join(dirname(ready), 'store'));
  return { saveCheckpoint: createSaveCheckpoint(store), loadCheckpoint: createLoadCheckpoint(store) };
}

/** @returns what it polls: workflows and activities on a queue of their own each */
const ROLES = {
  floor: () => [
    { taskQueue: FLOOR, ...WORKFLOW_OPTIONS, workflowsPath: join(__dirname, 'floor.cjs'), activities: RECORDS },
    { taskQueue: FLOOR_STEPS, ...SLOTS, activities: { nothing: async () => undefined } },
  ],
  slipway: async (ready) => [
    {
      ...{ taskQueue: CONTROL, ...WORKFLOW_OPTIONS },
      ...(await workflowCode(dirname(ready))),
      activities: { ...RECORDS, ...checkpoints(ready), keepAudit: async () => undefined },
    },
    { taskQueue: STEPS, ...SLOTS, activities: Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, step])) },
    { taskQueue: FLEET, activities: { watchFleet } },
  ],
};

async function main([role, address, ready]) {
  await serve({ address, ready, polled: () => ROLES[role](ready) });
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
