// node bench/real/worker.cjs workflows|steps ADDRESS READY-FILE: one of the two workers of the hand-written program.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');
const { WORKFLOW_OPTIONS } = require('../../dist/workers/workflow-code.js');
const { serve } = require('../engine/serve.cjs');
const { QUEUE, SLOTS, STEPS_QUEUE } = require('./queues.cjs');

/** A step: the command and nothing else. */
async function run(line) {
  const [code] = await once(spawn('sh', ['-c', line], { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${line} ended with ${code}`);
}

const ROLES = {
  workflows: { taskQueue: QUEUE, ...WORKFLOW_OPTIONS, workflowsPath: join(__dirname, 'by-hand.cjs') },
  steps: { taskQueue: STEPS_QUEUE, maxConcurrentActivityTaskExecutions: SLOTS, activities: { run } },
};

async function main([role, address, ready]) {
  await serve({ address, ready, polled: () => [ROLES[role]] });
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
