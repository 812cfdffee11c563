import { placed } from '../model/placed.js';
import { refuseTwins } from '../model/together.js';
import type { CommandGroup } from './command.js';
import { approve, reject } from './commands/approve.js';
import { artifacts } from './commands/artifacts.js';
import { audit } from './commands/audit.js';
import { bisect } from './commands/bisect.js';
import { cache } from './commands/cache.js';
import { cancel } from './commands/cancel.js';
import { check } from './commands/check.js';
import { codec } from './commands/codec.js';
import { doctor } from './commands/doctor.js';
import { down } from './commands/down.js';
import { drill } from './commands/drill.js';
import { history } from './commands/history.js';
import { init } from './commands/init.js';
import { ledger } from './commands/ledger.js';
import { logs } from './commands/logs.js';
import { note } from './commands/note.js';
import { pause, resume } from './commands/pause.js';
import { plan } from './commands/plan.js';
import { policy } from './commands/policy.js';
import { reproduce } from './commands/reproduce.js';
import { retry } from './commands/retry.js';
import { run } from './commands/run.js';
import { runs } from './commands/runs.js';
import { schedule } from './commands/schedule.js';
import { schema } from './commands/schema.js';
import { simulate } from './commands/simulate.js';
import { skip } from './commands/skip.js';
import { status } from './commands/status.js';
import { tests } from './commands/tests.js';
import { up } from './commands/up.js';
import { verify } from './commands/verify.js';
import { watch } from './commands/watch.js';
import { why } from './commands/why.js';
import { worker } from './commands/worker.js';
import { workers } from './commands/workers.js';
import type { FeatureClis } from './feature.js';
import type { Ports } from './ports.js';

/** Commands of the core. They are light: what is heavy is loaded by the ports they ask for. */
const CORE: readonly CommandGroup<Ports>[] = [
  { title: 'A release, in this order:', commands: [init, check, plan, up, run, schedule] },
  { title: 'Look at a run:', commands: [runs, watch, status, why, logs, artifacts, reproduce, audit, tests, bisect] },
  { title: 'Send an action to a run:', commands: [approve, reject, retry, skip, pause, resume, cancel, note] },
  { title: 'What was published and locked:', commands: [verify, ledger, cache, history] },
  { title: 'This machine and its workers:', commands: [doctor, workers, worker, down, policy, codec] },
  { title: 'Before it counts:', commands: [simulate, drill, schema] },
];

/** Returns all commands, in the order of `slipway --help`. Throws FEATURE_NAME_TAKEN and FEATURE_ROW_NOT_PLACED. */
export function commandGroups(features: FeatureClis): readonly CommandGroup<Ports>[] {
  const core = CORE.flatMap(({ commands }) => commands.map((spec) => ({ owner: 'core', name: spec.name, spec })));
  const added = Object.entries(features).flatMap(([owner, { commands = [] }]) =>
    commands.map(({ after, spec }) => ({ owner, name: spec.name, after, spec })),
  );
  refuseTwins('command', [...core, ...added]);
  const order = placed(
    'command',
    core.map(({ name }) => name),
    added,
  );
  const specs = new Map([...core, ...added].map(({ name, spec }) => [name, spec]));
  const begins = CORE.map(({ commands }) => order.indexOf(commands[0]!.name));
  return CORE.map(({ title }, at) => ({
    title,
    commands: order.slice(begins[at], begins[at + 1]).map((name) => specs.get(name)!),
  }));
}
