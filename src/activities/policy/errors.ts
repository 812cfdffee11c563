import { problem } from '../../model/problem.js';
import type { NeededGate } from '../../plan/policy/judge.js';
import { secretName } from '../../model/secret.js';
import type { Target } from '../../model/target.js';
import type { Spot } from '../../plan/errors.js';

/** @param given who approved, by keys that count and by others */
export const approvalsShort = problem.denied(
  (
    spot: Spot,
    { gate, groups, quorum }: NeededGate,
    given: { readonly counting: readonly string[]; readonly others: readonly string[] },
  ) => [
    'POLICY_APPROVALS_SHORT',
    `the policy asks for ${quorum} approvals at gate ${gate} by keys of ${groups.join(', ')}, and ${given.counting.length} of what is sealed count`,
    `\`slipway retry --from gates/${gate}\`, then let holders of these keys say \`slipway approve ${gate}\`.`,
    {
      evidence: [...given.counting.map((one) => `counts: ${one}`), ...given.others.map((one) => `does not: ${one}`)],
      ...spot,
    },
  ],
);
/** @param path where this home would have its policy */
export const credentialUnlisted = problem.denied(
  ({ name, address, extra }: Pick<Target, 'name' | 'address' | 'extra'>, secrets: readonly string[], path: string) => [
    'INDEX_CREDENTIAL_UNLISTED',
    `${name}: ${secrets.map(secretName).join(', ')} would be used at ${placeIn(extra) ?? address}, which is not on this machine, and this home has no policy that allows it`,
    `Write ${path} with \`slipway policy init FILE --profile PROFILE\`, and review it. Or remove \`username\` and \`password\` from the profile: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, are then used.`,
  ],
);

const placeIn = (extra: Target['extra']): string | null => (extra?.kind === 'simple' ? extra.endpoint : null);
