import type { Plan, StepOf } from '../../model/plan.js';
import { isHidden } from '../../model/policy/address.js';
import { placeOf, targetsIn, type Receiver } from '../../model/policy/place.js';
import { receiversIn } from './receivers.js';
import { secretsOf } from '../../model/secret.js';
import { standsBehind } from './gate-before.js';
import { secretsFor } from './secrets.js';

export interface DraftFacts {
  /** Name of the release file, for display. */
  readonly file: string;
  readonly plan: Plan;
  readonly branches: readonly string[];
  /** Text of each approver's public key, by its path in the bundle. */
  readonly keys: Readonly<Record<string, string>>;
}

type Gate = StepOf<'passGate'>;

/** Writes a policy that allows exactly what a release file asks for. A person reviews it. Pure. */
export function policyDraft({ file, plan, branches, keys }: DraftFacts): string {
  const gates = plan.steps.filter((step): step is Gate => step.kind === 'passGate' && step.params.approvers.length > 0);
  const elsewhere = receiversIn(plan).filter((one) => one.kind !== 'read' && !placeOf(one).here);
  const rows = [...new Set(elsewhere.map((one) => row(one, plan, gates)))];
  const shared = sharedSecrets(plan);
  const longestMs = Math.max(0, ...gates.map(({ params }) => params.expiresMs));
  return [
    `# What this worker may publish, whatever a release file says. Drafted from ${file}, profile ${plan.profile.name}.`,
    '# Review each line: keys, quorum, addresses, branches. docs/publishing.md#policy explains them.',
    'policy: 1',
    ...section('approvers', groupsOf(gates, keys)),
    ...(branches.length > 0 ? [`branches: ${list(branches)}`] : ['# branches: [main]   # any, unless they are named']),
    '# repository: https://git.example/project.git   # asked which branch has the commit; else the plan says so',
    ...(longestMs > 0 ? [`expires: ${inWords(longestMs)}`] : []),
    ...(shared.length > 0 ? [`secrets: ${list(shared)}   # of keys, announcements, messages`] : []),
    ...(rows.length > 0 ? section('publish', rows) : ['publish: []   # all of its targets are on this machine']),
    '',
  ].join('\n');
}

/** Rounds milliseconds up to a duration of a policy: `72h`, `90m`. */
function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

/** Secrets without a row: those of steps without a target, and of targets on this machine. */
function sharedSecrets(plan: Plan): readonly string[] {
  const without = secretsOf({ ...plan, steps: plan.steps.filter(({ params }) => !('target' in params)) });
  const here = targetsIn(plan).filter((target) => placeOf(target).here);
  return [...new Set([...without, ...here.flatMap(secretsFor)])];
}

const section = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${name}:`, ...lines];
const list = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;

/** Prefixes a group with its gate: the same name may mean other keys at another gate. */
const groupOf = (gate: Gate, group: string): string => `${gate.params.gate}-${group}`;
const groupsIn = ({ params }: Gate): readonly string[] => [...new Set(params.approvers.map(({ group }) => group))];

const groupsOf = (gates: readonly Gate[], keys: DraftFacts['keys']): readonly string[] =>
  gates.flatMap((gate) =>
    groupsIn(gate).flatMap((name) => [
      `  ${groupOf(gate, name)}:`,
      ...gate.params.approvers
        .filter(({ group }) => group === name)
        .map(({ key }) => `    - ${JSON.stringify((keys[key] ?? '').trim())}`),
    ]),
  );

function row(target: Receiver, plan: Plan, gates: readonly Gate[]): string {
  const { name, kind, address, repository, extra, path, config } = target;
  if (isHidden(target)) return `  # - { kind: ${kind}, address: ${HIDDEN[kind]} }   # ${name} names it by a secret`;
  const before = gates.filter((gate) => isBefore(gate, target, plan));
  return [
    `  - kind: ${kind}`,
    `    address: ${JSON.stringify(repository === null ? address : `${address.replace(/\/+$/, '')}/${repository}`)}`,
    ...(extra !== undefined && 'endpoint' in extra && extra.endpoint !== null
      ? [`    endpoint: ${JSON.stringify(extra.endpoint)}`]
      : []),
    ...(secretsFor(target).length > 0 ? [`    secrets: ${list(secretsFor(target))}`] : []),
    ...(extra !== undefined && 'realm' in extra ? [`    realm: ${JSON.stringify(extra.realm)}`] : []),
    ...(typeof config === 'string' ? [`    config: ${JSON.stringify(config)}`] : []),
    ...(path === undefined && before.length === 0
      ? ['    # gates: none. Whoever starts a release publishes here']
      : []),
    ...(before.length > 0 ? ['    gates:'] : []),
    ...before.map((gate) => {
      const groups = groupsIn(gate).map((group) => groupOf(gate, group));
      return `      ${gate.params.gate}: { approvers: ${list(groups)}, quorum: ${Math.max(1, gate.params.quorum)} }`;
    }),
  ].join('\n');
}

/** Rows for addresses that a plan does not show. */
const HIDDEN: Readonly<Record<string, string>> = { postgres: 'postgres://HOST/DATABASE', webhook: 'https://HOST' };

function isBefore({ params: { gate } }: Gate, { name }: Receiver, plan: Plan): boolean {
  const uploads = plan.steps.filter((step) => step.kind === 'publishArtifacts' && step.params.target.name === name);
  return uploads.length > 0 && uploads.every((step) => standsBehind(step, gate, plan));
}
