import { problem } from '../../model/problem.js';
import type { LeftOut } from '../../model/report.js';
import type { TargetAddress } from '../../model/gate.js';

export const signatureBad = problem.denied((gate: string, by: string) => [
  'SIGNATURE_BAD',
  `the signature that came in the name of ${by} is not one of the action at gate ${gate}`,
  `It covers gate, manifest, run, reason and expiry: say it with \`slipway approve ${gate}\`, which signs all of it.`,
]);
export const keyNotListed = problem.denied((gate: string, fingerprint: string, listed: readonly string[]) => [
  'KEY_NOT_LISTED',
  `the key ${fingerprint} may not approve gate ${gate}`,
  listed.length === 0
    ? 'Write its public key under `approvers` of this gate in the release file, and start the release again.'
    : `Let a holder of one of these keys approve: ${listed.join(', ')}.`,
]);
export const keyUnreadable = problem.config((path: string) => [
  'APPROVER_KEY_UNREADABLE',
  `${path} is not an OpenSSH public key`,
  'It holds one line: type, key, comment, as `ssh-keygen` leaves it in a .pub file.',
]);
export const notApproved = problem.denied((gate: string, count: number, quorum: number) => [
  'GATE_NOT_APPROVED',
  `gate ${gate} takes ${quorum} approvals of what is sealed, and the audit holds ${count}`,
  `Approve it: \`slipway approve ${gate}\`, after \`slipway retry gates/${gate}\`.`,
]);
export const testsLeftOut = problem.product((gate: string, left: readonly LeftOut[]) => [
  'TESTS_LEFT_OUT',
  `gate ${gate} wants every test passed, and ${left.length === 1 ? `${left[0]!.id} was` : `${left.length} were`} left out`,
  `Run them, then \`slipway retry gates/${gate}\`; or write \`tests: sealed\` if the manifest's word on them is enough.`,
  { evidence: left.map(({ id, because }) => `${id}: ${because}`) },
]);

const placed = (targets: readonly TargetAddress[]): readonly string[] =>
  targets.map(({ name, address, repository }) => `${name}: ${address}${repository === null ? '' : ` ${repository}`}`);

export const targetsMoved = problem.config(
  (gate: string, opened: readonly TargetAddress[], now: readonly TargetAddress[]) => [
    'TARGETS_MOVED',
    `gate ${gate} opened for ${placed(opened).join(', ') || 'no target'}, and this worker would publish to ${placed(now).join(', ') || 'no target'}`,
    `Open it for the addresses of now: \`slipway retry --from gates/${gate}\`, then approve again.`,
  ],
);
