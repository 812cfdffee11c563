import { fail } from '../../model/failure.js';
import { WORKFLOWS } from '../../model/ids.js';
import { workerRecords, type WorkerName, type WorkerRecord } from '../../model/worker.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { warnIdle } from '../deployments/checks.js';
import { assertDeployment, deployments } from '../deployments/index.js';
import { noQueues, noSuchAction, unknownWorker, wordNotForAction } from '../errors.js';
import { knownWorkers, recordOf } from '../fleet.js';
import type { Ports } from '../ports.js';

const WORKER_ACTIONS = ['drain', 'quarantine', 'release'] as const;
type WorkerAction = (typeof WORKER_ACTIONS)[number];

export const worker: CommandSpec<Ports> = {
  name: 'worker',
  summary:
    'start a worker here, or tell one: `worker start --queues A,B`, `worker drain | quarantine | release NAME`; upgrade workflow code: `worker deployments`',
  arguments: [
    {
      name: '<action>',
      help: "start: serve queues in the foreground. keys: make this home's keys where it has none, for a store that no `slipway up` uses. drain: finish and end. quarantine: and stay away. release: come back. deployments: builds of the workflow code",
    },
    {
      name: '[name]',
      help: 'as `slipway workers` shows it: QUEUE@HOST, or HOST for all of its queues. Of deployments: list (default), current, ramp',
    },
    { name: '[build]', help: 'of deployments: the build, or its first digits (default: the build of this checkout)' },
  ],
  options: [
    {
      flags: '--queues <names>',
      help: 'of start: queues to serve, by comma. `workflows` executes the workflow code of runs, without steps; some worker must serve `control` too',
    },
    { flags: '--name <host>', help: "of start: name of this place, in place of the host's" },
    {
      flags: '--deployment <name>',
      help: 'of start, with `workflows`: serve as a build of this deployment, beside other builds. Of deployments: which one',
    },
    { flags: '--percent <number>', help: 'of deployments ramp: share of new runs, 0 to 100' },
    { flags: '--json', help: 'of deployments: the builds as JSON' },
    { flags: '--reason <text>', help: 'kept with the action', default: 'by hand' },
  ],
  async run(input, io, ports) {
    const action = input.args['action'] ?? '';
    assertWords(action, input);
    if (action === 'start') return start(input, io, ports);
    if (action === 'keys') return keys(io, ports);
    if (action === 'deployments') return deployments(input, io, ports);
    if (!isWorkerAction(action)) throw fail(noSuchAction(action));
    return act(action, input, io, ports);
  },
};

const isWorkerAction = (text: string): text is WorkerAction => (WORKER_ACTIONS as readonly string[]).includes(text);

/** Actions that take an option. */
const TAKES = {
  queues: ['start'],
  name: ['start'],
  deployment: ['start', 'deployments'],
  percent: ['deployments'],
  json: ['deployments'],
};

/** Throws WORKER_OPTION. */
function assertWords(action: string, { args, options }: Input): void {
  const taken = Object.entries(TAKES).filter(([name]) => options[name] !== undefined);
  const strange = taken.flatMap(([name, actions]) => (actions.includes(action) ? [] : [`--${name}`]));
  if (args['build'] !== undefined && (action !== 'deployments' || args['name'] === 'list')) strange.push(args['build']);
  if (strange.length > 0) throw fail(wordNotForAction(action, strange));
}

async function start({ options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const known = Object.keys(await ports.queues());
  const said = String(options['queues'] ?? '')
    .split(',')
    .map((queue) => queue.trim())
    .filter((queue) => queue !== '');
  const strange = said.filter((queue) => queue !== WORKFLOWS && !known.includes(queue));
  if (said.length === 0 || strange.length > 0) throw fail(noQueues(strange, known));
  const { name, deployment } = options;
  if (typeof deployment === 'string') assertDeployment(deployment, said);
  else if (said.includes(WORKFLOWS)) await warnIdle(io, ports);
  const services = await ports.services();
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return (await services.startWorkers([...new Set(said)], text(name), text(deployment))) === 0 ? 0 : 1;
}

/** Says which files other machines need. */
async function keys(io: Io, ports: Ports): Promise<ExitCode> {
  const { folder, files } = await ports.makeKeys();
  io.out(`${folder}: ${files.join(', ')}`);
  io.out(
    'A machine that builds needs worker.key and control.pub, a machine that serves control all three: see docs/workers.md.',
  );
  return 0;
}

async function act(action: WorkerAction, { args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const all = [...(await knownWorkers(ports)).keys()];
  const asked = args['name'] ?? '';
  const meant = all.filter((one) => one === asked || one.endsWith(`@${asked}`));
  if (meant.length === 0) throw fail(unknownWorker(asked, all));
  for (const one of meant) {
    await tell(one, action, String(options['reason']), ports);
    io.out(`${one}: ${DONE[action]}`);
  }
  return 0;
}

/** Writes the next action on a worker. Of two that are sent at once, the worker takes both in turn. */
async function tell(name: WorkerName, action: WorkerAction, reason: string, ports: Ports): Promise<void> {
  const pointers = await ports.pointers();
  const at = new Date().toISOString();
  for (;;) {
    const no = ((await recordOf(name, ports))?.no ?? 0) + 1;
    const record: WorkerRecord = { no, action, reason, at };
    const wins = (now: WorkerRecord): boolean => now.no < no;
    if ((await pointers.move<WorkerRecord>(workerRecords.action(name), record, wins)).moved) return;
  }
}

const DONE: Readonly<Record<WorkerAction, string>> = {
  drain: 'finishes what is under way, takes no more, and ends',
  quarantine: 'finishes what is under way, ends, and does not come back before `slipway worker release`',
  release: 'may serve again; one that `slipway up` keeps comes back by itself, any other is started anew',
};
