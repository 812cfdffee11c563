import { fail } from '../../model/failure.js';
import { WORKFLOWS } from '../../model/ids.js';
import { workerRecords, type WorkerName, type WorkerRecord } from '../../model/worker.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { noQueues, noSuchAction, unknownWorker } from '../errors.js';
import { knownWorkers, recordOf } from '../fleet.js';
import type { Ports } from '../ports.js';

const WORKER_ACTIONS = ['drain', 'quarantine', 'release'] as const;
type WorkerAction = (typeof WORKER_ACTIONS)[number];

export const worker: CommandSpec<Ports> = {
  name: 'worker',
  summary: 'start a worker here, or tell one: `worker start --queues A,B`, `worker drain | quarantine | release NAME`',
  arguments: [
    {
      name: '<action>',
      help: "start: serve queues in the foreground. keys: make this home's keys where it has none, for a store that no `slipway up` uses. drain: finish and end. quarantine: and stay away. release: come back",
    },
    { name: '[name]', help: 'as `slipway workers` shows it: QUEUE@HOST, or HOST for all of its queues' },
  ],
  options: [
    {
      flags: '--queues <names>',
      help: 'of start: queues to serve, by comma. `workflows` executes the workflow code of runs, without steps; some worker must serve `control` too',
    },
    { flags: '--name <host>', help: "of start: name of this place, in place of the host's" },
    { flags: '--reason <text>', help: 'kept with the action', default: 'by hand' },
  ],
  async run(input, io, ports) {
    const action = input.args['action'] ?? '';
    if (action === 'start') return start(input, ports);
    if (action === 'keys') return keys(io, ports);
    if (!isWorkerAction(action)) throw fail(noSuchAction(action));
    return act(action, input, io, ports);
  },
};

const isWorkerAction = (text: string): text is WorkerAction => (WORKER_ACTIONS as readonly string[]).includes(text);

async function start({ options }: Input, ports: Ports): Promise<ExitCode> {
  const known = Object.keys(await ports.queues());
  const said = String(options['queues'] ?? '')
    .split(',')
    .map((queue) => queue.trim())
    .filter((queue) => queue !== '');
  const strange = said.filter((queue) => queue !== WORKFLOWS && !known.includes(queue));
  if (said.length === 0 || strange.length > 0) throw fail(noQueues(strange, known));
  const name = options['name'];
  const services = await ports.services();
  return (await services.startWorkers([...new Set(said)], typeof name === 'string' ? name : undefined)) === 0 ? 0 : 1;
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
