import { CONTROL } from '../../model/ids.js';
import { isHidden } from '../../model/policy/address.js';
import type { Policy } from '../../model/schema/policy.js';
import type { Judgement, NeededGate } from '../../plan/policy/judge.js';
import type { Explained } from '../ports.js';
import { plain, type Colours } from '../render/paint.js';
import { useRows } from './uses.js';

const NONE = 'only loopback and service: addresses are published to';

/** A policy's content in a few lines. */
export function policyLines(path: string, policy: Policy | null): readonly string[] {
  if (policy === null) return [`no policy at ${path}: ${NONE}`];
  const groups = Object.entries(policy.approvers);
  return [
    `ok: ${path}`,
    ...groups.map(([name, keys]) => plain(`  ${name}: ${keys.map(ownerOf).join(', ')}`)),
    ...policy.publish.map(({ kind, address, gates }) => {
      const needed = Object.entries(gates).map(([gate, { quorum }]) => `${gate} (${quorum})`);
      return plain(`  ${kind} ${address}: ${needed.length > 0 ? `after ${needed.join(', ')}` : 'no gate'}`);
    }),
  ];
}

/** A key as its comment names it. */
const ownerOf = (line: string): string => line.split(' ').slice(2).join(' ') || `${line.slice(0, 30)}…`;

/** For each address of a plan: whether it may get something, by whose approvals, from where, and why not. For each
 * reference: who allows it. */
export function explainedLines({ path, policy, judged, uses }: Explained, paint: Colours): readonly string[] {
  const head = policy === null ? `no policy at ${path}: ${NONE}` : `policy ${path}`;
  const rows = useRows(uses, (use) => (isRefused(use) ? paint.red('nobody allows it') : (use.by ?? 'read without it')));
  return [
    head,
    ...judged.flatMap((one) => ['', ...targetLines(one, policy, paint)]),
    ...(rows.length === 0 ? [] : ['', paint.bold('What steps look up, and who allows it')]),
    ...rows.map(([name, on, by, users]) => `  ${name}  ${on}  ${by}  (${users})`),
  ];
}

/** A build worker verifies a target without a credential that it may not look up. */
export const isRefused = ({ by, user, on }: Explained['uses'][number]): boolean =>
  by === null && !(on !== CONTROL && user.startsWith('verify/'));

function targetLines(
  { target, row, gates, from, problems }: Judgement,
  policy: Policy | null,
  paint: Colours,
): string[] {
  const { name, kind, planned, repository } = target;
  const place = `${planned}${repository === null ? '' : ` ${repository}`}`;
  const head = plain(`${name}  ${kind}  ${place}`);
  if (problems.length > 0)
    return [
      `${paint.bold(head)}  ${paint.red('refused')}`,
      ...problems.flatMap(({ code, message, next, place: at }) => [
        plain(`  ${code}  ${at?.line === undefined ? '' : `${at.file}:${at.line}  `}${message}`),
        plain(`    next: ${next}`),
      ]),
    ];
  if (isHidden(target)) return [`${paint.bold(head)}  judged when it is used: a secret holds it`];
  const rules = row === null ? ['  it is on this machine: no row is asked for'] : ruleLines(gates, from, policy);
  const allowed = target.path === undefined ? 'may be published' : 'allowed';
  return [`${paint.bold(head)}  ${paint.green(allowed)}`, ...rules.map(plain)];
}

const ruleLines = (gates: readonly NeededGate[], from: Judgement['from'], policy: Policy | null): readonly string[] => [
  ...(gates.length === 0 ? ['  without an approval'] : []),
  ...gates.map(({ gate, groups, quorum }) => {
    const keys = [...new Set(groups.flatMap((group) => policy?.approvers[group] ?? []))];
    return `  after gate ${gate}: ${quorum} of ${keys.map(ownerOf).join(', ')} (${groups.join(', ')})`;
  }),
  from === null
    ? '  from any commit'
    : `  from ${from.join(', ')}${policy?.repository === undefined ? ', as the plan says' : ''}`,
];
