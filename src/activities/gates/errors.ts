import type { LeftOut } from '../../model/report.js';
import type { Problem } from '../../model/failure.js';
import type { TargetAddress } from '../../model/gate.js';

export const signatureBad = (gate: string, by: string): Problem => ({
  code: 'SIGNATURE_BAD',
  class: 'denied',
  message: `the signature that came in the name of ${by} is not one of the action at gate ${gate}`,
  next: `It covers gate, manifest, run, reason and expiry: say it with \`slipway approve ${gate}\`, which signs all of it.`,
});

export const keyNotListed = (gate: string, fingerprint: string, listed: readonly string[]): Problem => ({
  code: 'KEY_NOT_LISTED',
  class: 'denied',
  message: `the key ${fingerprint} may not approve gate ${gate}`,
  next:
    listed.length === 0
      ? 'Write its public key under `approvers` of this gate in the release file, and start the release again.'
      : `Let a holder of one of these keys approve: ${listed.join(', ')}.`,
});

export const keyUnreadable = (path: string): Problem => ({
  code: 'APPROVER_KEY_UNREADABLE',
  class: 'config',
  message: `${path} is not an OpenSSH public key`,
  next: 'It holds one line: type, key, comment, as `ssh-keygen` leaves it in a .pub file.',
});

export const notApproved = (gate: string, count: number, quorum: number): Problem => ({
  code: 'GATE_NOT_APPROVED',
  class: 'denied',
  message: `gate ${gate} takes ${quorum} approvals of what is sealed, and the audit holds ${count}`,
  next: `Approve it: \`slipway approve ${gate}\`, after \`slipway retry gates/${gate}\`.`,
});

export const testsLeftOut = (gate: string, left: readonly LeftOut[]): Problem => ({
  code: 'TESTS_LEFT_OUT',
  class: 'product',
  message: `gate ${gate} wants every test passed, and ${left.length === 1 ? `${left[0]!.id} was` : `${left.length} were`} left out`,
  next: `Run them, then \`slipway retry gates/${gate}\`; or write \`tests: sealed\` if the manifest's word on them is enough.`,
  evidence: left.map(({ id, because }) => `${id}: ${because}`),
});

const placed = (targets: readonly TargetAddress[]): readonly string[] =>
  targets.map(({ name, address, repository }) => `${name}: ${address}${repository === null ? '' : ` ${repository}`}`);

export const targetsMoved = (
  gate: string,
  opened: readonly TargetAddress[],
  now: readonly TargetAddress[],
): Problem => ({
  code: 'TARGETS_MOVED',
  class: 'config',
  message: `gate ${gate} opened for ${placed(opened).join(', ') || 'no target'}, and this worker would publish to ${placed(now).join(', ') || 'no target'}`,
  next: `Open it for the addresses of now: \`slipway retry --from gates/${gate}\`, then approve again.`,
});
