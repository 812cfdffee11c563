import { gateNotWaiting, gateUnknown } from '../../engine/gates/errors.js';
import type { Manifest } from '../../engine/ledger/manifest.js';
import { digestOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { approvalText, gateId, gateName, type GateStatus, type GateAction } from '../../model/gate.js';
import type { RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { noSigningKey, reasonMissing } from '../errors.js';
import { statusOf } from '../find-run.js';
import type { Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { sendAction, signed, ACTION_OPTIONS } from '../send-action.js';
import { approvalLines } from '../screens/approval.js';
import { planOf, readText } from '../stored-plan.js';

const GATE = { name: '<gate>', help: 'its name, as `slipway status` shows it' } as const;
const OPTIONS: CommandSpec<Ports>['options'] = [
  ...ACTION_OPTIONS,
  { flags: '--key <path>', help: 'private SSH key to sign with (default: one of your agent that may approve)' },
  { flags: '--unsigned', help: 'say it without a signature: counts only where the release file allows that' },
  { flags: '--manifest <digest>', help: 'the manifest that you looked at: refused where another one is sealed' },
];

export const approve: CommandSpec<Ports> = {
  name: 'approve',
  summary: 'say yes at a gate: shows what is approved, signs it with your SSH key',
  arguments: [GATE],
  options: [...OPTIONS, { flags: '--show', help: 'show what would be approved, and say nothing' }],
  run: (input, io, ports) => decide('approve', input, io, ports),
};

export const reject: CommandSpec<Ports> = {
  name: 'reject',
  summary: 'say no at a gate: nothing behind it is published',
  arguments: [GATE],
  options: OPTIONS,
  async run(input, io, ports) {
    if (typeof input.options['reason'] !== 'string') throw fail(reasonMissing('reject'));
    return decide('reject', input, io, ports);
  },
};

async function decide(action: GateAction['action'], { args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const run = options['run'];
  const status = await statusOf(ports, typeof run === 'string' ? run : undefined);
  const gate = gateIn(status, args['gate']!);
  const plan = await planOf(status, ports);
  const manifest = JSON.parse(await readText(await ports.store(), gate.manifest)) as Manifest;
  const all = options['show'] === true;
  const about = approvalLines({ plan, manifest, gate, status, all }, colours(io.terminal.colour));
  if (all) {
    io.out(about.join('\n'));
    return 0;
  }
  io.err(about.join('\n'));
  const signedAction = await withSignature(
    actionOf(action, gate, options, ports),
    { gate, plan, status, options },
    io,
    ports,
  );
  return sendAction(signedAction, { ...options, run: status.run }, io, ports);
}

function gateIn({ steps }: RunStatus, asked: string): GateStatus {
  const gates = steps.filter(({ kind }) => kind === 'passGate');
  const step = gates.find(({ id }) => id === gateId(asked));
  const names = gates.map(({ id }) => gateName(id));
  if (!step) throw fail(gateUnknown(asked, names));
  if (step.gate === undefined) throw fail(gateNotWaiting(step.id, step.state));
  return step.gate;
}

function actionOf(action: GateAction['action'], gate: GateStatus, options: Input['options'], ports: Ports): GateAction {
  const given = options['manifest'];
  const manifest = typeof given === 'string' ? given : gate.manifest;
  const expires = new Date(Date.now() + gate.expiresMs).toISOString();
  return signed({ action, gate: gate.name, manifest, expires } as GateAction, options, ports) as GateAction;
}

interface About {
  readonly gate: GateStatus;
  readonly plan: Plan;
  readonly status: RunStatus;
  readonly options: Input['options'];
}

async function withSignature(action: GateAction, about: About, io: Io, ports: Ports): Promise<GateAction> {
  const { plan, status } = about;
  const key = await keyFor(about, ports);
  if (key === null) {
    io.err('Nobody signs this: it is shown as unverified.');
    return action;
  }
  const { nonce, targets } = about.gate;
  const { workflowId: workflow, run } = status;
  const scope = { workflow, run, plan: digestOf(plan, ports.hash), profile: plan.profile.name, nonce, targets };
  const text = approvalText(action, scope);
  return { ...action, signature: await (await ports.ssh()).sign(text, key) };
}

async function keyFor(
  { gate, plan, options }: About,
  ports: Ports,
): Promise<{ path: string } | { line: string } | null> {
  if (options['unsigned'] === true) return null;
  if (typeof options['key'] === 'string') return { path: options['key'] };
  const store = await ports.store();
  const files = plan.bundle.filter(({ path }) => gate.keys.includes(path));
  const listed = await Promise.all(files.map(({ digest }) => readText(store, digest)));
  const mine = (await (await ports.ssh()).agentKeys()).find((line) =>
    listed.some((text) => text.includes(blobOf(line))),
  );
  if (mine !== undefined) return { line: mine };
  if (gate.signed === 'optional') return null;
  throw fail(noSigningKey(gate.name, gate.approvers));
}

/** The key itself, without type and comment. */
const blobOf = (line: string): string => line.split(' ')[1] ?? line;
