import type { Problem } from '../../model/failure.js';
import type { NeededGate } from '../../plan/policy/judge.js';
import type { Spot } from '../../plan/errors.js';

/** @param given who approved, by keys that count and by others */
export const approvalsShort = (
  spot: Spot,
  { gate, groups, quorum }: NeededGate,
  given: { readonly counting: readonly string[]; readonly others: readonly string[] },
): Problem => ({
  code: 'POLICY_APPROVALS_SHORT',
  class: 'denied',
  message: `the policy asks for ${quorum} approvals at gate ${gate} by keys of ${groups.join(', ')}, and ${given.counting.length} of what is sealed count`,
  next: `\`slipway retry --from gates/${gate}\`, then let holders of these keys say \`slipway approve ${gate}\`.`,
  evidence: [...given.counting.map((one) => `counts: ${one}`), ...given.others.map((one) => `does not: ${one}`)],
  ...spot,
});
