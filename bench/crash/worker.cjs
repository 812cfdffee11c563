// A worker process that ends by KILL at the moments that its plan names: `node worker.cjs FOLDER workflows|steps`.
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const { DefaultLogger, NativeConnection, Runtime, Worker } = require('@temporalio/worker');
const { Context } = require('@temporalio/activity');
const { payloadCodecs } = require('../../dist/adapters/temporal/codec/data-converter.js');
const { createLoadCheckpoint, createSaveCheckpoint } = require('../../dist/activities/report/checkpoints.js');
const { createDirectoryStore } = require('../../dist/adapters/store/directory.js');
const { KINDS } = require('../../dist/model/kinds.js');
const { WORKFLOW_OPTIONS } = require('../../dist/workers/workflow-code.js');

const [folder, role] = process.argv.slice(2);
const json = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const lines = (file) => readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
const { address, cached } = json('setting.json');

/** Each kill of the plan happens once, also where a task is tried again or its history read anew. */
const done = new Set(lines('kills.log').map((line) => JSON.parse(line).no));
const traps = role === 'workflows' ? json('kills.json').filter(({ no }) => !done.has(no)) : [];

/** Bytes by which what passes is known. The bench's plan has a digest of its own: graphs.mjs. */
const SIGNS = {
  checkpoint: (bytes) => bytes.includes('"pendingNotifications":'),
  saved: (bytes) => /^"sha256:(?!c{64})/.test(bytes.toString('latin1', 0, 80)),
  continued: (bytes) => bytes.includes('"first":'),
  asked: (bytes) => /^\{"run":"[^"]*","digest":/.test(bytes.toString('latin1', 0, 200)),
};

/** Number of the continuation that comes next. A worker that begins reads a history from its start. */
let next = 1;

/** Looks at what workflows send and are given, before they do. */
async function look(way, payloads) {
  if (traps.length === 0) return payloads;
  for (const { data } of payloads) {
    if (!data?.length) continue;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const sign = Object.keys(SIGNS).find((name) => SIGNS[name](bytes));
    if (sign === undefined) continue;
    const begins = sign === 'continued' && way === 'comes';
    if (begins) next = Number(/"history":(\d+)/.exec(bytes.toString('utf8'))[1]);
    const isOver = begins || sign === 'asked' || (sign === 'checkpoint' && way === 'comes');
    spring({ sign, way, number: isOver ? next - 1 : next });
  }
  return payloads;
}

function spring(seen) {
  const at = traps.findIndex((trap) => trap.sign === seen.sign && trap.way === seen.way && trap.number === seen.number);
  if (at < 0) return;
  const [trap] = traps.splice(at, 1);
  due.add(trap);
  if (trap.afterMs === 0) kill();
  else setTimeout(kill, trap.afterMs);
}

/** Kills whose moment has come. The process may end before the time of the later ones, so the first one takes all along. */
const due = new Set();

function kill() {
  const pids = json('pids.json');
  const victims = new Set();
  for (const trap of due) {
    appendFileSync(join(folder, 'kills.log'), `${JSON.stringify({ ...trap, atMs: Date.now() })}\n`);
    for (const victim of trap.victims) victims.add(victim);
  }
  due.clear();
  for (const victim of victims) if (victim !== role) end(pids[victim]);
  if (victims.has(role)) process.kill(process.pid, 'SIGKILL');
}

/** One that was just killed for another reason is gone already. */
function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
}

/** Writes down when a step begins and ends: what is judged does not come from the engine. */
async function perform({ step, attempt }) {
  const { heartbeat, info } = Context.current();
  const beat = setInterval(() => heartbeat(), 1000);
  const write = (what) => appendFileSync(join(folder, 'steps.log'), `${what} ${step} ${attempt} ${info.attempt}\n`);
  write('begins');
  const ms = lasting(step);
  if (ms > 0) await pause(ms);
  write('ends');
  clearInterval(beat);
  return { outcome: 'done', ms, worker: 'crash', note: '' };
}

/** Most take no time. Some last, so that a continuation waits for them. */
function lasting(step) {
  const number = Number(step.slice('steps/s'.length));
  if (number % 499 === 7) return 3000;
  return number % 97 === 5 ? 300 : 0;
}

const store = createDirectoryStore(join(folder, 'store'));
const activities = {
  ...Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, perform])),
  makePlan: async () => json('skeleton.json'),
  keepStatus: async () => undefined,
  keepAudit: async () => undefined,
  saveCheckpoint: createSaveCheckpoint(store),
  loadCheckpoint: createLoadCheckpoint(store),
};

async function main() {
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: ['SIGTERM'] });
  const connection = await NativeConnection.connect({ address });
  const common = { connection, taskQueue: 'control', dataConverter: { payloadCodecs: payloadCodecs() } };
  const own =
    role === 'workflows'
      ? {
          workflowBundle: { codePath: join(folder, 'workflows.bundle.js') },
          ...WORKFLOW_OPTIONS,
          dataConverter: {
            payloadCodecs: [
              { encode: (all) => look('leaves', all), decode: (all) => look('comes', all) },
              ...payloadCodecs(),
            ],
          },
          ...(cached !== null && { maxCachedWorkflows: cached }),
        }
      : { activities, maxConcurrentActivityTaskExecutions: 50, maxHeartbeatThrottleInterval: '500ms' };
  const worker = await Worker.create({ ...common, ...own });
  await worker.run();
}

main().then(
  () => process.exit(),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
