import { catalogue } from '../../model/catalogue.js';
import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { secretName } from '../../model/secret.js';
import type { Spot } from '../errors.js';

export interface Named {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
}

const denied = (spot: Spot, code: string, message: string, next: string): Problem => ({
  ...{ code, class: 'denied' as const, message, next },
  ...spot,
});

const at = ({ name, kind, address }: Named): string => `${name} (${kind}) at ${JSON.stringify(address)}`;

export const policyMissing = problem.denied((target: Named, path: string) => [
  'POLICY_MISSING',
  `this worker has no policy, and without one nothing goes outside this machine: ${at(target)}`,
  `Write one to ${path} there: \`slipway policy init FILE --profile PROFILE\`, then review it and \`slipway retry\`.`,
]);
/** @param path of the worker's policy */
export const secretUnnamed = problem.denied((reference: string, path: string) => [
  'SECRET_UNNAMED',
  `${secretName(reference)} reads a file or runs a command of the worker, and no policy names it`,
  `Add the line \`secrets: [${JSON.stringify(reference)}]\` to ${path} if it may (its first line is \`policy: 1\`), then \`slipway policy check\` and \`slipway retry\`.`,
]);

/** A plan asks for more than the policy gives. `user` of secrets: `target hub`, the id of a step. */
export const refusals = catalogue(denied, {
  addressNotAllowed: (target: Named) => [
    'POLICY_ADDRESS',
    `no row of the policy allows ${at(target)}`,
    'Add a row to the policy if it may get what a release sends, then `slipway policy check` and `slipway retry`.',
  ],
  secretNotAllowed: (user: string, names: readonly string[]) => [
    'POLICY_SECRET',
    `${user} asks for ${names.join(', ')}, which the policy does not give it`,
    'Name it under "secrets" of the row or of the policy if it may be used there, then `slipway policy check` and `slipway retry`.',
  ],
  gateAbsent: (gate: string, target: Named, step: string) => [
    'POLICY_GATE_ABSENT',
    `the policy asks for gate ${gate} before ${at(target)}, and ${step} does not need it`,
    `Write the gate into the release file: \`gates: { ${gate}: { approvers: …, before: [publish/${target.name}] } }\`, then start the release again.`,
  ],
  gateWeaker: (gate: string, quorum: number, asked: number) => [
    'POLICY_GATE_WEAKER',
    `gate ${gate} opens after ${quorum} approvals, signed or not; the policy asks for ${asked} signed ones`,
    `Write \`gates: { ${gate}: { quorum: ${asked}, signed: required } }\` in the release file, then start the release again.`,
  ],
  approvalsTooLong: (gate: string, hours: number, mostHours: number) => [
    'POLICY_EXPIRY',
    `approvals at gate ${gate} would count for ${hours} h; the policy allows ${mostHours} h`,
    `Write \`gates: { ${gate}: { expires: ${mostHours}h } }\` in the release file, then start the release again.`,
  ],
  branchNotAllowed: (found: string, allowed: readonly string[]) => [
    'POLICY_BRANCH',
    `the policy allows what is released from ${allowed.join(', ')}; ${found}`,
    'Release a commit of such a branch or tag; or add the name to the policy, then `slipway retry`.',
  ],
});

/** @param weaker products with the isolation of their build */
export const isolationWeaker = (spot: Spot, asked: string, weaker: readonly string[]): Problem => ({
  ...denied(
    spot,
    'POLICY_ISOLATION',
    `the policy asks that products are built in isolation ${asked}, and ${weaker.length} of what is sealed ${weaker.length === 1 ? 'is' : 'are'} not`,
    'Let a worker build them that reaches this level (`slipway doctor` says which), then `slipway retry --from STEP`; or change the policy.',
  ),
  evidence: weaker.slice(0, 12),
});
